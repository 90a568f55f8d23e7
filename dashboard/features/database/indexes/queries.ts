import { databaseObjects } from '#contract/database/database-objects'
import { queryPerformance } from '#contract/observability/query-performance'
import { pgMeta } from '#contract/database/pg-meta'
import { databaseQuery } from '../../../session/project/database.ts'

/** Most indexes of one answer. A schema with more is narrowed by the server's order of names. */
export const mostIndexes = 10_000

/** Names in a list are separated by commas, so a schema with a comma in its name is asked for among all of them. */
const scopeOf = (schema: string) =>
  schema.includes(',') ? {} : { included_schemas: schema, include_system_schemas: 'true' as const }

export const indexesQuery = (ref: string, schema: string) =>
  databaseQuery(databaseObjects.indexes, { ref, ...scopeOf(schema), limit: mostIndexes }, 10_000)

/** The customer's own statements that cost the most time. */
export const busiestQuery = (ref: string) =>
  databaseQuery(queryPerformance.list, { ref, limit: 100 }, 10_000)

export const tablesOfQuery = (ref: string, schema: string, search: string) =>
  databaseQuery(pgMeta.entities, { ref, schema, limit: 200, ...(search ? { search } : {}) }, 10_000)

export const columnsQuery = (ref: string, id: number) =>
  databaseQuery(pgMeta.entity, { ref, id }, 10_000)
