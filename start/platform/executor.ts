import { hostname } from 'node:os'

/** This machine and the port of the control plane on it. */
export const placeOf = ({ port }: { port: number }): string => `${hostname()}:${port}`

/**
 * By which name a control plane does its jobs. Those whose servers are run by an agent may be several. Otherwise a database that is reached by a socket on this machine is the installation's own, whose
 * home is held by one launcher at a time: nobody shares it, and no name is needed. Any other may have several control planes.
 */
export function executorOf(config: {
  port: number
  platformDatabaseUrl?: string | undefined
  compute?: { url: string | undefined }
}): string | undefined {
  if (config.compute?.url !== undefined) return placeOf(config)
  if (config.platformDatabaseUrl === undefined) return undefined
  const isSocket = new URL(config.platformDatabaseUrl).searchParams.get('host')?.startsWith('/')
  return isSocket === true ? undefined : placeOf(config)
}
