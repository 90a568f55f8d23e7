import type { Platform } from '../../platform.ts'
import { createDataApi, createExposedSchemas, type DataApi } from './data-api.ts'
import { settingsStore } from './settings-store.ts'
import { dataApi as api, v1DataApi as v1 } from '#contract/data-api/data-api'
import { implement } from '#kit/http'

/** What no project changes. */
const fixed = { db_anon_role: 'anon', role_claim_key: '.role' }

const unset = {
  db_pool_acquisition_timeout: null,
  db_pool_max_lifetime: null,
  db_pool_max_idletime: null,
}

const dataApiRoutes = (dataApi: DataApi) => [
  implement(api.config, async ({ ref }, caller) => ({
    ...(await dataApi.get(caller, ref)),
    ...fixed,
  })),
  implement(api.updateConfig, async ({ ref, ...changes }, caller, origin) => ({
    ...(await dataApi.update(caller, ref, changes, origin)),
    ...fixed,
  })),
  implement(v1.dataApi, async ({ ref }, caller) => ({
    ...(await dataApi.get(caller, ref)),
    ...unset,
  })),
  implement(v1.updateDataApi, async ({ ref, ...changes }, caller, origin) => ({
    ...(await dataApi.update(caller, ref, changes, origin)),
    ...unset,
  })),
]

type Needs = Pick<Parameters<typeof createDataApi>[0], 'jwtSecret'> & {
  runSql: Parameters<typeof settingsStore>[0]
}

/** How the data APIs of projects work. */
export function dataApiFeature({ audited }: Platform, { runSql, jwtSecret }: Needs) {
  const store = settingsStore(runSql)
  const dataApi = createDataApi({ store, audited, jwtSecret })
  return {
    routes: dataApiRoutes(dataApi),
    get: dataApi.get,
    settingsOf: dataApi.settingsOf,
    update: dataApi.update,
    exposedSchemas: createExposedSchemas(store),
  }
}
