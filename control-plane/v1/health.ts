import type { ProjectStatus } from '#contract/projects/project-status'
import type { V1Health } from '#contract/v1/v1'
import type { Log } from '#kit/log'

type Service = V1Health['name']

const rising: readonly ProjectStatus[] = ['COMING_UP', 'RESTORING', 'RESTARTING', 'UNKNOWN']

/** Milliseconds that a service has to answer. */
const patience = 2000

/** Where each service is asked. Any answer but a 5xx is one, also that of a door that wants a key. */
const doors: Record<Exclude<Service, 'db'>, string> = {
  auth: '/auth/v1/health',
  rest: '/rest/v1/',
}

/** How the services of a project are, asked of them as anyone else would. The database itself is watched all the time. */
export function createServiceHealth({ dataPlaneUrl, log }: { dataPlaneUrl: string; log: Log }) {
  async function answers(
    ref: string,
    service: Exclude<Service, 'db'>,
  ): Promise<string | undefined> {
    try {
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

  return async (
    ref: string,
    status: ProjectStatus,
    services: readonly Service[],
  ): Promise<V1Health[]> =>
    Promise.all(
      services.map(async (name): Promise<V1Health> => {
        if (rising.includes(status)) return { name, healthy: false, status: 'COMING_UP' }
        if (status !== 'ACTIVE_HEALTHY')
          return { name, healthy: false, status: 'UNHEALTHY', error: `The project is ${status}` }
        const error = name === 'db' ? undefined : await answers(ref, name)
        return error === undefined
          ? { name, healthy: true, status: 'ACTIVE_HEALTHY' }
          : { name, healthy: false, status: 'UNHEALTHY', error }
      }),
    )
}
