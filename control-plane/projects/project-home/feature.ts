import type { Platform } from '../../platform.ts'
import { createServiceFault } from '../../data-plane/service-fault.ts'
import { projectHomeRoutes } from './routes.ts'
import { createServiceStates } from './services.ts'
import { homeStore } from './store.ts'
import { createUsage } from './usage.ts'

type Needs = Pick<Parameters<typeof projectHomeRoutes>[0], 'statusOf'>

/** What the home of a project shows: its services, what was done to it, how much it is used. */
export function projectHomeFeature(platform: Platform, { statusOf }: Needs) {
  const { db, compute, dataPlane, now, log } = platform
  const store = homeStore(db)
  const usage = createUsage(store, now)
  return {
    routes: projectHomeRoutes({
      store,
      usage,
      statusOf,
      servicesOf: createServiceStates({
        faultOf: createServiceFault(dataPlane, log),
        probe: (ref) => compute.probe(ref),
        log,
      }),
    }),
    rounds: [{ seconds: 600, name: 'request counts', run: () => usage.prune() }],
    functionUsage: usage.ofFunction,
  }
}
