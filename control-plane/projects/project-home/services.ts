import {
  projectServices,
  type ProjectService,
  type ServiceState,
} from '#contract/projects/project-home'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Log } from '#kit/log'
import type { ServiceFault } from '../../data-plane/service-fault.ts'

type Deps = {
  faultOf: ServiceFault
  /** Whether the database answers; it gives up by itself. */
  probe: (ref: string) => Promise<boolean>
  log: Log
}

/** Seconds that a service has to answer. */
const longest = 5

/** How the services of a project are, asked of them at this moment and timed. */
export function createServiceStates({ faultOf, probe, log }: Deps) {
  async function databaseFault(ref: string): Promise<string | undefined> {
    try {
      if (await probe(ref)) return undefined
    } catch (error) {
      log.info({ err: error, ref }, 'database does not answer')
    }
    return 'It does not answer'
  }

  async function ask(ref: string, name: ProjectService): Promise<ServiceState> {
    const since = performance.now()
    const error = name === 'db' ? await databaseFault(ref) : await faultOf(ref, name, longest)
    const latency = Math.round((performance.now() - since) * 10) / 10
    return error === undefined
      ? { name, healthy: true, latency_ms: latency }
      : { name, healthy: false, latency_ms: null, error }
  }

  return (ref: string, status: ProjectStatus): Promise<ServiceState[]> =>
    Promise.all(
      projectServices.map(async (name): Promise<ServiceState> => {
        if (status === 'ACTIVE_HEALTHY' || status === 'ACTIVE_UNHEALTHY') return ask(ref, name)
        return { name, healthy: false, latency_ms: null, error: `The project is ${status}` }
      }),
    )
}
