import type { Platform } from '../../platform.ts'
import { createDatabaseReader } from './read-database.ts'
import { createTableReader } from './read-tables.ts'
import { pgMetaRoutes } from './routes.ts'
import { createRunSql } from './run-sql.ts'

type Needs = Pick<Parameters<typeof pgMetaRoutes>[0], 'isMarkerOf'>

/** The metadata API of every project, and what other features ask databases. */
export function pgMetaFeature(platform: Platform, { isMarkerOf }: Needs) {
  const { dataPlane, access } = platform
  const { can } = access
  return {
    routes: pgMetaRoutes({ dataPlane, can, isMarkerOf }),
    runSql: createRunSql(dataPlane),
    read: createDatabaseReader(dataPlane),
    tablesOf: createTableReader({ dataPlane, can }),
  }
}
