import { dataApi as api, v1DataApi as v1 } from '#contract/data-api/data-api'
import { implement } from '#kit/http'
import type { DataApi } from './data-api.ts'

/** What no project changes. */
const fixed = { db_anon_role: 'anon', role_claim_key: '.role' }

const unset = {
  db_pool_acquisition_timeout: null,
  db_pool_max_lifetime: null,
  db_pool_max_idletime: null,
}

export const dataApiRoutes = (dataApi: DataApi) => [
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
