import { dataPlaneApi } from '#contract/data-plane-api'
import type { DataPlane, Login } from '../../data-plane/client.ts'

export type Sql = { query: string; parameters?: readonly unknown[]; login: Login }

/** The rows of the last statement. @throws ApiError when the database refuses, or does not answer */
export type RunSql = (ref: string, sql: Sql) => Promise<Record<string, unknown>[]>

/** SQL of our own in a project's database, for features whose callers are already authorized. */
export const createRunSql =
  (dataPlane: DataPlane): RunSql =>
  (ref, { login, ...body }) =>
    dataPlane.ask(dataPlaneApi.query, { params: { ref }, login, as: 'plinth-platform', body })
