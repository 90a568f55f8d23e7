import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Named } from '../database/pg-meta-shapes.ts'
import { ProjectRef as ref } from '../values.ts'

/** A function as the data API offers it: its arguments by name, as a client passes them. */
export const ApiFunction = z.object({
  id: z.number(),
  schema: z.string(),
  name: z.string(),
  comment: z.string().nullable(),
  args: z.array(z.object({ name: z.string(), type: z.string(), optional: z.boolean() })),
  /** As SQL spells it: `integer`, `SETOF books`, `TABLE(id integer)`. */
  returns: z.string(),
  returns_set: z.boolean(),
  volatility: z.enum(['VOLATILE', 'STABLE', 'IMMUTABLE']),
})
export type ApiFunction = z.infer<typeof ApiFunction>

/** A statement that took much of the database's time since its figures were last reset. */
export const SlowStatement = z.object({
  query: z.string(),
  calls: z.number(),
  mean_ms: z.number(),
  /** Of the time of all statements, 0 to 1. */
  share: z.number(),
})
export type SlowStatement = z.infer<typeof SlowStatement>

/** What a project's database looks like from its home. Schemas of the platform's services do not count. */
export const Overview = z.object({
  tables: z.number(),
  /** Some table has held a row. */
  has_rows: z.boolean(),
  policies: z.number(),
  bytes: z.number(),
  connections: z.number(),
  max_connections: z.number(),
  started_at: z.string(),
  /** Slowest first; null where pg_stat_statements is not installed. */
  statements: z.array(SlowStatement).nullable(),
})
export type Overview = z.infer<typeof Overview>

const needs = inProject('tenant:Sql:Admin:Read', 'tables')

export const projectOverview = {
  overview: endpoint('project-overview.overview', 'GET /platform/pg-meta/:ref/overview', {
    needs,
    input: z.object({ ref }),
    returns: Overview,
  }),
  /** What the data API can call in a schema, in name order. */
  apiFunctions: endpoint(
    'project-overview.api-functions',
    'GET /platform/pg-meta/:ref/api-functions',
    {
      needs,
      input: z.object({
        ref,
        schema: Named,
        /** Only the one with this id. */
        id: z.coerce.number().int().min(0).max(4_294_967_295).optional(),
        search: z.string().max(200).optional(),
        limit: z.coerce.number().int().min(1).max(500).default(100),
        offset: z.coerce.number().int().min(0).default(0),
      }),
      returns: z.object({ functions: z.array(ApiFunction), total: z.number() }),
    },
  ),
}
