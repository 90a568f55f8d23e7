import { v1 } from '#contract/v1/v1'
import { implementOpen } from '#kit/http'
import { openApi } from '#kit/http/openapi'
import { createServiceFault } from '../data-plane/service-fault.ts'
import type { Platform } from '../platform.ts'
import { v1AbsentRoutes } from './absent-routes.ts'
import { v1AddOnRoutes } from './add-ons.ts'
import { v1BranchRoutes, type BranchParts } from './branch-routes.ts'
import { v1ConfigRoutes, type ConfigParts } from './config-routes.ts'
import { createServiceHealth } from './health.ts'
import { parametersIn, v1PostgresRoutes } from './postgres-routes.ts'
import { postgresStore, type RunSql } from './postgres-store.ts'
import { v1ProjectRoutes, type ProjectParts } from './project-routes.ts'
import { v1ReplicaRoutes, type ReplicaParts } from './replica-routes.ts'
import { v1Routes, type V1Parts } from './routes.ts'
import { v1SsoRoutes } from './sso-routes.ts'

type Needs = Omit<V1Parts, 'databaseHost' | 'health' | 'projects'> & {
  projects: V1Parts['projects'] & ProjectParts
  projectAddOns: Parameters<typeof v1AddOnRoutes>[0]
  configs: Pick<ConfigParts, 'dataApi' | 'realtime' | 'storage' | 'networks' | 'sslEnforced'>
  runSql: RunSql
  replicas: ReplicaParts
  branches: Omit<BranchParts, 'project' | 'databaseHost'>
}

/** The public management API, on the functions behind /platform. */
export function v1Feature(platform: Platform, needs: Needs) {
  const { dataPlane, databaseHost, log } = platform
  const { projects, projectAddOns, configs, runSql, branches, replicas, ...parts } = needs
  const postgres = postgresStore(runSql)
  return {
    routes: [
      ...v1Routes({
        ...parts,
        projects,
        databaseHost,
        health: createServiceHealth(createServiceFault(dataPlane, log)),
      }),
      ...v1ProjectRoutes(projects, platform.poolerPorts?.transaction),
      ...v1AbsentRoutes,
      ...v1BranchRoutes({ ...branches, project: projects.get, databaseHost }),
      ...v1ReplicaRoutes(replicas),
      ...v1AddOnRoutes(projectAddOns),
      ...v1PostgresRoutes(postgres),
      ...v1ConfigRoutes({
        ...configs,
        project: projects.get,
        parameters: parametersIn(postgres),
        auth: parts.authConfigs.get,
      }),
      ...v1SsoRoutes(dataPlane),
      ...documents(platform),
    ],
  }
}

/** What lies below /v1, whichever feature it belongs to, and the older address of this document. */
function documents({ version, endpoints: all }: Platform) {
  const endpoints = all.filter(
    ({ path }) => path.startsWith('/v1/') || path === v1.openapiAlias.path,
  )
  let document: ReturnType<typeof openApi> | undefined
  // Made for the first who reads it.
  const read = async () =>
    (document ??= openApi(endpoints, { title: 'Plinth management API', version }))
  return [implementOpen(v1.openapi, read), implementOpen(v1.openapiAlias, read)]
}
