import type { Log } from '#kit/log'
import type { DataPlane } from './client.ts'

/** Where each service of a project is asked how it is. */
const doors = {
  auth: '/auth/v1/health',
  rest: '/rest/v1/',
  graphql: '/graphql/v1',
  storage: '/storage/v1/bucket',
  realtime: '/realtime/v1/api/ping',
  functions: '/functions/v1/',
}

/**
 * What is wrong with a service of a project, asked of it as anyone else would; undefined when it is well. Any answer but a 5xx
 * is one, also that of a door that wants a key.
 */
export const createServiceFault =
  (dataPlane: Pick<DataPlane, 'probe'>, log: Log) =>
  async (
    ref: string,
    service: keyof typeof doors,
    seconds: number,
  ): Promise<string | undefined> => {
    try {
      const response = await dataPlane.probe(ref, doors[service], seconds)
      await response.body?.cancel()
      return response.status < 500 ? undefined : `It answered with ${response.status}`
    } catch (error) {
      log.info({ err: error, ref, service }, 'service does not answer')
      return 'It does not answer'
    }
  }
export type ServiceFault = ReturnType<typeof createServiceFault>
