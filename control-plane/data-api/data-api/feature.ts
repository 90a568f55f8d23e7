import type { Platform } from '../../platform.ts'
import { createDataApi, createExposedSchemas } from './data-api.ts'
import { dataApiRoutes } from './routes.ts'
import { settingsStore } from './settings-store.ts'

type Needs = Pick<Parameters<typeof createDataApi>[0], 'jwtSecret'> & {
  runSql: Parameters<typeof settingsStore>[1]
}

/** How the data APIs of projects work. */
export function dataApiFeature({ db, record }: Platform, { runSql, jwtSecret }: Needs) {
  const store = settingsStore(db, runSql)
  const dataApi = createDataApi({ store, record, jwtSecret })
  return {
    routes: dataApiRoutes(dataApi),
    get: dataApi.get,
    exposedSchemas: createExposedSchemas(store),
  }
}
