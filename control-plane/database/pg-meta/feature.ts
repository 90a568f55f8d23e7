import type { Platform } from '../../platform.ts'
import { createDatabaseReader } from './read-database.ts'
import { createTableReader } from './read-tables.ts'
import { pgMetaRoutes } from './routes.ts'
import { createRunSql } from './run-sql.ts'

type Needs = Pick<Parameters<typeof pgMetaRoutes>[0], 'isMarkerOf'>

/** The metadata API of every project, and what other features ask databases. */
export function pgMetaFeature(platform: Platform, { isMarkerOf }: Needs) {
  const { dataPlaneUrl, internalToken, access } = platform
  const { can } = access
  return {
    routes: pgMetaRoutes({ dataPlaneUrl, internalToken, can, isMarkerOf }),
    runSql: createRunSql(platform),
    read: createDatabaseReader(platform),
    tablesOf: createTableReader({ dataPlaneUrl, internalToken, can }),
  }
}
