import {
  restartableServices,
  serviceRestarts as api,
  type RestartableService,
  type ServiceRestart,
  type ServiceRestarts,
} from '#contract/projects/service-restarts'
import type { ProjectStatus } from '#contract/projects/project-status'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'
import type { Platform } from '../../platform.ts'
import { serviceRestartStore } from './store.ts'

/** In these there are services to restart: in the others nothing of a project is open. */
const serves: readonly ProjectStatus[] = ['ACTIVE_HEALTHY', 'ACTIVE_UNHEALTHY']

const stateOf = (service: RestartableService, restarts: ServiceRestarts): ServiceRestart => {
  const at = restarts[service]
  return { service, restarted_at: at === undefined ? null : new Date(at).toISOString() }
}

/**
 * Single services of a project, restarted by a word. What is kept is a wish that each data plane compares with what it has: one that
 * is away at the moment has nothing left of before when it is back, or does it then.
 */
export function serviceRestartsFeature({ db, audited }: Platform) {
  const store = serviceRestartStore(db)
  return {
    routes: [
      implement(api.list, async ({ ref }) => {
        const restarts = await store.of(ref)
        if (!restarts) throw new ApiError('project_not_found')
        return restartableServices.map((service) => stateOf(service, restarts))
      }),
      implement(api.restart, async ({ ref, service }, caller, origin) => {
        const { restarts } = await audited(
          { caller, ref, origin },
          'serviceRestarts.restart',
          async (tx, { status, service_restarts: before }) => {
            if (!serves.includes(status))
              throw new ApiError(
                'conflict',
                'Services can be restarted only while the project is running',
              )
            const now = await store.note(tx, ref, service)
            return {
              restarts: now,
              change: {
                before: { service, restarted_at: before[service] ?? null },
                after: { service, restarted_at: now[service] ?? null },
              },
            }
          },
        )
        return stateOf(service, restarts)
      }),
    ],
  }
}
