import type { Endpoint } from '#contract/endpoint'
import { v1 } from '#contract/v1/v1'
import type { Log } from '#kit/log'
import { implementOpen } from '#kit/http'
import { openApi } from '#kit/http/openapi'
import type { ControlPlaneOptions } from './options.ts'
import type { NetworkRestrictions } from './projects/network-restrictions/network-restrictions.ts'
import { networkRoutes } from './projects/network-restrictions/routes.ts'
import { v1AddOnRoutes } from './v1/add-ons.ts'
import { createServiceHealth } from './v1/health.ts'
import { parametersIn, v1PostgresRoutes } from './v1/postgres-routes.ts'
import { postgresStore, type RunSql } from './v1/postgres-store.ts'
import { v1AbsentRoutes } from './v1/absent-routes.ts'
import { v1ConfigRoutes, type ConfigParts } from './v1/config-routes.ts'
import { v1ProjectRoutes, type ProjectParts } from './v1/project-routes.ts'
import { v1Routes, type V1Parts } from './v1/routes.ts'
import { v1SsoRoutes } from './v1/sso-routes.ts'

type Parts = Omit<V1Parts, 'databaseHost' | 'health' | 'projects'> & {
  projects: V1Parts['projects'] & ProjectParts
  options: Pick<
    ControlPlaneOptions,
    'compute' | 'databaseHost' | 'dataPlaneUrl' | 'internalToken' | 'version'
  >
  projectAddOns: Parameters<typeof v1AddOnRoutes>[0]
  networks: NetworkRestrictions
  configs: Pick<ConfigParts, 'dataApi' | 'realtime' | 'storage'>
  runSql: RunSql
  /** All that there is. */
  endpoints: Endpoint[]
  log: Log
}

/** The public management API, on the functions behind /platform. */
export function assembleV1({ options, log, runSql, endpoints, ...parts }: Parts) {
  const { projects } = parts
  const postgres = postgresStore(runSql)
  const { dataPlaneUrl, databaseHost, internalToken, version } = options
  return [
    ...v1Routes({
      ...parts,
      databaseHost,
      health: createServiceHealth({ dataPlaneUrl, log }),
    }),
    ...v1ProjectRoutes(projects),
    ...v1AbsentRoutes,
    ...networkRoutes(parts.networks),
    ...v1AddOnRoutes(parts.projectAddOns),
    ...v1PostgresRoutes(postgres),
    ...v1ConfigRoutes({
      ...parts.configs,
      project: projects.get,
      parameters: parametersIn(postgres),
      networks: parts.networks.get,
      auth: parts.authConfigs.get,
    }),
    ...v1SsoRoutes({ dataPlaneUrl, internalToken, log }),
    ...documents(version, endpoints),
  ]
}

/** What lies below /v1, whichever feature it belongs to, and the older address of this document. */
function documents(version: string, all: Endpoint[]) {
  const endpoints = all.filter(
    ({ path }) => path.startsWith('/v1/') || path === v1.openapiAlias.path,
  )
  let document: ReturnType<typeof openApi> | undefined
  // Made for the first who reads it.
  const read = async () =>
    (document ??= openApi(endpoints, { title: 'Plinth management API', version }))
  return [implementOpen(v1.openapi, read), implementOpen(v1.openapiAlias, read)]
}
