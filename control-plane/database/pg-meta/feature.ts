import type { Platform } from '../../platform.ts'
import { createDatabaseReader } from './read-database.ts'
import { pgMetaRoutes } from './routes.ts'
import { dataPlaneApi } from '#contract/data-plane-api'
import type { Table } from '#contract/database/pg-meta-shapes'
import { ApiError } from '#kit/errors'
import type { Access } from '../../access/access.ts'
import type { DataPlane, Login } from '../../data-plane/client.ts'

/** Tables of one answer; who has more names the ones that matter. */
const max = 1000

type Deps = { dataPlane: DataPlane; can: Access['can'] }

/** Reads a project's tables for another feature, always as the login that only reads, for people who may see them. */
const createTableReader =
  ({ dataPlane, can }: Deps) =>
  async (userId: string, ref: string, signal: AbortSignal): Promise<Table[]> => {
    if (!(await can({ userId }, ref, 'tenant:Sql:Admin:Read', 'tables'))) {
      throw new ApiError('not_allowed')
    }
    return dataPlane.ask(dataPlaneApi.tables, {
      params: { ref },
      query: { limit: String(max) },
      login: 'plinth_read_only',
      as: 'plinth-assistant',
      signal,
    })
  }

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

type Sql = { query: string; parameters?: readonly unknown[]; login: Login }

/** The rows of the last statement. @throws ApiError when the database refuses, or does not answer */
type RunSql = (ref: string, sql: Sql) => Promise<Record<string, unknown>[]>

/** SQL of our own in a project's database, for features whose callers are already authorized. */
const createRunSql =
  (dataPlane: DataPlane): RunSql =>
  (ref, { login, ...body }) =>
    dataPlane.ask(dataPlaneApi.query, { params: { ref }, login, as: 'plinth-platform', body })
