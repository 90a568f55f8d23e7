import type { Platform } from '../../platform.ts'
import { createServiceFault } from '../../data-plane/service-fault.ts'
import { createServiceStates } from './services.ts'
import { homeStore, type HomeStore } from './store.ts'
import { createUsage } from './usage.ts'
import { internal } from '#contract/internal-api'
import { projectHome as api, type ServiceState } from '#contract/projects/project-home'
import type { ProjectStatus } from '#contract/projects/project-status'
import { implement, implementOpen } from '#kit/http'

type Parts = {
  store: HomeStore
  usage: ReturnType<typeof createUsage>
  statusOf: (ref: string) => Promise<ProjectStatus>
  servicesOf: (ref: string, status: ProjectStatus) => Promise<ServiceState[]>
}

/** Changes shown on a project's home. */
const newest = 10

const projectHomeRoutes = ({ store, usage, statusOf, servicesOf }: Parts) => [
  implement(api.services, async ({ ref }) => servicesOf(ref, await statusOf(ref))),
  implement(api.activity, async ({ ref }) =>
    (await store.activity(ref, newest)).map((row) => ({
      id: row.id,
      action: row.action,
      by: row.actor_email,
      occurred_at: row.occurred_at.toISOString(),
    })),
  ),
  implement(api.usage, ({ ref, range }) => usage.of(ref, range)),
  implementOpen(internal.requestCounts, async ({ counts }) => {
    await usage.add(counts)
    return { kept: counts.length }
  }),
]

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
    functionLoads: (ref: string, id: string, from: Date, seconds: number) =>
      store.loads(ref, `function:${id}`, from, seconds),
  }
}
