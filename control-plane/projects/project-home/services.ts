import {
  projectServices,
  type ProjectService,
  type ServiceState,
} from '#contract/projects/project-home'
import type { ProjectStatus } from '#contract/projects/project-status'
import type { Log } from '#kit/log'

type Deps = {
  dataPlaneUrl: string
  /** Whether the database answers; it gives up by itself. */
  probe: (ref: string) => Promise<boolean>
  log: Log
}

/** Milliseconds that a service has to answer. */
const patience = 5000

/** Where each service is asked. Any answer but a 5xx is one, also that of a door that wants a key. */
const doors: Record<Exclude<ProjectService, 'db'>, string> = {
  auth: '/auth/v1/health',
  rest: '/rest/v1/',
  graphql: '/graphql/v1',
  storage: '/storage/v1/bucket',
  realtime: '/realtime/v1/api/ping',
  functions: '/functions/v1/',
}

/** How the services of a project are, asked of them at this moment and timed. */
export function createServiceStates({ dataPlaneUrl, probe, log }: Deps) {
  /** What is wrong with a service; undefined when it is well. */
  async function fault(ref: string, service: ProjectService): Promise<string | undefined> {
    try {
      if (service === 'db') return (await probe(ref)) ? undefined : 'It does not answer'
      const response = await fetch(`${dataPlaneUrl}/${ref}${doors[service]}`, {
        signal: AbortSignal.timeout(patience),
      })
      await response.body?.cancel()
      return response.status < 500 ? undefined : `It answered with ${response.status}`
    } catch (error) {
      log.info({ err: error, ref, service }, 'service does not answer')
      return 'It does not answer'
    }
  }

  async function ask(ref: string, name: ProjectService): Promise<ServiceState> {
    const since = performance.now()
    const error = await fault(ref, name)
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
