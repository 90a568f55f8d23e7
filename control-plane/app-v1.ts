import type { Log } from '#kit/log'
import type { ControlPlaneOptions } from './options.ts'
import { createServiceHealth } from './v1/health.ts'
import { v1Routes, type V1Parts } from './v1/routes.ts'

type Parts = Omit<V1Parts, 'databaseHost' | 'health'> & {
  options: Pick<ControlPlaneOptions, 'databaseHost' | 'dataPlaneUrl'>
  log: Log
}

/** The public management API, on the functions behind /platform. */
export const assembleV1 = ({ options, log, ...parts }: Parts) =>
  v1Routes({
    ...parts,
    databaseHost: options.databaseHost,
    health: createServiceHealth({ dataPlaneUrl: options.dataPlaneUrl, log }),
  })
