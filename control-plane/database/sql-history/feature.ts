import type { Platform } from '../../platform.ts'
import { sqlHistoryStore, type SqlHistoryStore } from './store.ts'
import { sqlHistory as api, type SqlRun } from '#contract/database/sql/sql-history'
import { ApiError } from '#kit/errors'
import { implement } from '#kit/http'

/** What people ran. */
export const sqlHistoryFeature = ({ db }: Platform) => ({
  routes: sqlHistoryRoutes(sqlHistoryStore(db)),
})

type Row = Awaited<ReturnType<SqlHistoryStore['list']>>[number]

const shape = (row: Row): SqlRun => ({
  id: row.id,
  snippet_id: row.snippet_id,
  name: row.name,
  sql: row.sql,
  parameters: row.parameters,
  status: row.status,
  ms: row.ms,
  rows: row.rows === null ? null : Number(row.rows),
  error: row.error,
  started_at: row.started_at.toISOString(),
})

/** Everyone reads and writes their own history only. */
const sqlHistoryRoutes = (store: SqlHistoryStore) => [
  implement(api.list, async ({ ref, limit, before, search }, { userId }) => {
    const since = before === undefined ? undefined : new Date(before)
    return (await store.list({ ref, userId }, { limit, before: since, search })).map(shape)
  }),
  implement(api.put, async ({ ref, ...run }, { userId }) => {
    if (!(await store.put({ ref, userId }, run))) throw new ApiError('project_not_found')
    await store.prune({ ref, userId })
    return {}
  }),
  implement(api.clear, async ({ ref }, { userId }) => {
    await store.clear({ ref, userId })
    return {}
  }),
]
