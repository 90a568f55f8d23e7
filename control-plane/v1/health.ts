import type { ProjectStatus } from '#contract/projects/project-status'
import type { V1Health } from '#contract/v1/v1'
import type { ServiceFault } from '../data-plane/service-fault.ts'

type Service = V1Health['name']

const rising: readonly ProjectStatus[] = ['COMING_UP', 'RESTORING', 'RESTARTING', 'UNKNOWN']

/** Seconds that a service has to answer. */
const longest = 2

/** How the services of a project are. The database itself is watched all the time. */
export const createServiceHealth =
  (faultOf: ServiceFault) =>
  async (ref: string, status: ProjectStatus, services: readonly Service[]): Promise<V1Health[]> =>
    Promise.all(
      services.map(async (name): Promise<V1Health> => {
        if (rising.includes(status)) return { name, healthy: false, status: 'COMING_UP' }
        if (status !== 'ACTIVE_HEALTHY')
          return { name, healthy: false, status: 'UNHEALTHY', error: `The project is ${status}` }
        const error = name === 'db' ? undefined : await faultOf(ref, name, longest)
        return error === undefined
          ? { name, healthy: true, status: 'ACTIVE_HEALTHY' }
          : { name, healthy: false, status: 'UNHEALTHY', error }
      }),
    )
