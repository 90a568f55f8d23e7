import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { sqlText } from '../database/pg-meta-shapes.ts'
import { Instant, ProjectRef as ref } from '../values.ts'

/** How the list can be sorted; times in milliseconds. */
export const statementSorts = [
  'total_time',
  'calls',
  'mean_time',
  'max_time',
  'rows',
  'cache_hit',
] as const
export type StatementSort = (typeof statementSorts)[number]

/** One statement of pg_stat_statements; its constants are placeholders. */
export const Statement = z.object({
  /** A 64-bit number as text; null where the login may not see it. */
  queryid: z.string().nullable(),
  query: z.string(),
  role: z.string(),
  calls: z.number(),
  total_time: z.number(),
  mean_time: z.number(),
  min_time: z.number(),
  max_time: z.number(),
  rows: z.number(),
  /** 0 to 1; null for a statement that read nothing. */
  cache_hit: z.number().nullable(),
  /** Of the time of all statements of this database, 0 to 1. */
  share: z.number(),
})
export type Statement = z.infer<typeof Statement>

/**
 * `not_installed`: the extension is missing and can be created. `not_loaded`: the server was started without its library.
 */
export const statementStates = ['ready', 'not_installed', 'not_loaded'] as const

const IndexAdvice = z.object({
  schema: z.string(),
  table: z.string(),
  columns: z.array(z.string()),
  /** Cost of the whole statement by the planner, before and with the index; null when it was not tried. */
  before: z.number().nullable(),
  after: z.number().nullable(),
  /** Of the index, in bytes. */
  size: z.number().nullable(),
  /** Why it was not tried. */
  untried: z.string().nullable(),
})
export type IndexAdvice = z.infer<typeof IndexAdvice>

const ByRef = z.object({ ref })
const reads = inProject('tenant:Sql:Admin:Read', 'query_performance')
const writes = inProject('tenant:Sql:Admin:Write', 'query_performance')
const base = '/platform/pg-meta/:ref/query-performance' as const
const query = sqlText(100_000).min(1)
/** Which statements: those of the customer, or also those of the platform and about the catalogs. */
const whose = z.enum(['own', 'all']).default('own')

export const queryPerformance = {
  list: endpoint('queryPerformance.list', `GET ${base}`, {
    needs: reads,
    input: ByRef.extend({
      whose,
      /** Names joined by commas. */
      roles: z.string().max(2000).optional(),
      /** Part of the text, in any case. */
      search: z.string().max(200).optional(),
      min_calls: z.coerce.number().int().min(0).default(0),
      sort: z.enum(statementSorts).default('total_time'),
      order: z.enum(['asc', 'desc']).default('desc'),
      limit: z.coerce.number().int().min(1).max(5000).default(100),
      offset: z.coerce.number().int().min(0).default(0),
    }),
    returns: z.object({
      state: z.enum(statementStates),
      /** Since when the figures are counted. */
      since: Instant.nullable(),
      /** Everybody who has statements. */
      roles: z.array(z.string()),
      /** How many there are, without `limit`. */
      total: z.number(),
      statements: z.array(Statement),
    }),
  }),
  /** Forgets the figures of this database. */
  reset: endpoint('queryPerformance.reset', `POST ${base}/reset`, {
    needs: writes,
    input: ByRef,
    returns: z.object({ since: Instant.nullable() }),
  }),
  /** What the planner would do, for any values of the placeholders. Nothing runs. */
  plan: endpoint('queryPerformance.plan', `POST ${base}/plan`, {
    needs: reads,
    input: ByRef.extend({ query }),
    /** `problem` says why there is no plan; pages ask for it by themselves, so that is an answer and no failure. */
    returns: z.object({
      cost: z.number().nullable(),
      plan: z.unknown(),
      problem: z.string().nullable(),
    }),
  }),
  /** Which indexes would make this statement cheaper: each is built, looked at and rolled back. */
  advice: endpoint('queryPerformance.advice', `POST ${base}/advice`, {
    needs: writes,
    perMinute: 60,
    input: ByRef.extend({ query }),
    returns: z.object({ cost: z.number(), indexes: z.array(IndexAdvice) }),
  }),
}

const TrendPoint = z.object({
  at: Instant,
  calls: z.number(),
  /** Milliseconds in all of them. */
  time: z.number(),
  rows: z.number(),
})
export type TrendPoint = z.infer<typeof TrendPoint>

export const queryTrends = {
  /** What a statement did between two looks of the collector, oldest first. */
  trend: endpoint('queryTrends.trend', 'GET /platform/projects/:ref/query-performance/trend', {
    needs: reads,
    input: ByRef.extend({ queryid: z.string().regex(/^-?\d{1,20}$/) }),
    returns: z.object({ points: z.array(TrendPoint) }),
  }),
}
