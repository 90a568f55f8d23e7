import type { Provider } from '#compute/provider'
import type { Jobs } from '#kit/jobs'
import type { Db } from './platform-database/database.ts'
import type { ControlPlaneOptions } from './options.ts'
import { projectHomeRoutes } from './projects/project-home/routes.ts'
import { createServiceStates } from './projects/project-home/services.ts'
import { homeStore } from './projects/project-home/store.ts'
import { createUsage } from './projects/project-home/usage.ts'
import type { Projects } from './projects/projects/projects.ts'

type Parts = {
  db: Db
  options: Pick<ControlPlaneOptions, 'dataPlaneUrl' | 'now' | 'log'>
  compute: Provider
  every: Jobs['every']
  projects: Pick<Projects, 'status'>
}

/** What the home of a project shows: its services, what was done to it, how much it is used. */
export function assembleProjectHome({ db, options, compute, every, projects }: Parts) {
  const { dataPlaneUrl, now = () => new Date(), log } = options
  const store = homeStore(db)
  const usage = createUsage(store, now)
  every(600, 'request counts', () => usage.prune())
  const routes = projectHomeRoutes({
    store,
    usage,
    statusOf: async (ref) => (await projects.status(ref)).status,
    servicesOf: createServiceStates({ dataPlaneUrl, probe: (ref) => compute.probe(ref), log }),
  })
  return { routes, functionUsage: usage.ofFunction }
}
