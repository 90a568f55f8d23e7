import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { inProject } from '../permissions.ts'
import { Instant, ProjectRef } from '../values.ts'

/** How far back requests are counted, by the public names: how many bars of how many seconds. The last bar is still being filled. */
export const countIntervals = {
  '15min': { bars: 15, seconds: 60 },
  '30min': { bars: 30, seconds: 60 },
  '1hr': { bars: 60, seconds: 60 },
  '3hr': { bars: 180, seconds: 60 },
  '1day': { bars: 24, seconds: 3600 },
  '3day': { bars: 72, seconds: 3600 },
  '7day': { bars: 7, seconds: 86_400 },
} as const
export type CountInterval = keyof typeof countIntervals

/** Of these, how far back the figures of a function go. */
export const statIntervals = ['15min', '1hr', '3hr', '1day'] as const

/** Requests of one bar, from `timestamp` on. `rest` is the data API by REST and by GraphQL. */
export const ApiCounts = z.object({
  timestamp: Instant,
  total_auth_requests: z.number(),
  total_realtime_requests: z.number(),
  total_rest_requests: z.number(),
  total_storage_requests: z.number(),
})
export type ApiCounts = z.infer<typeof ApiCounts>

const average = z.number().nullable()
/** Calls of a function by what they answered, and how long they took (ms); null where there was none. */
const requestStats = {
  timestamp: Instant,
  requests_count: z.number(),
  success_count: z.number(),
  redirect_count: z.number(),
  client_err_count: z.number(),
  server_err_count: z.number(),
  avg_execution_time: average,
  max_execution_time: average,
}
/** Lines that a function wrote to its console, by level. */
const outputStats = {
  timestamp: Instant,
  log_count: z.number(),
  log_info_count: z.number(),
  log_warn_count: z.number(),
  log_error_count: z.number(),
}
/** Processor time of one call on average (ms), and the most memory that a worker had (MB); null where no worker ran. */
const resourceStats = {
  timestamp: Instant,
  avg_cpu_time_used: average,
  avg_memory_used: average,
}
export const FunctionRequestStats = z.object(requestStats)
export const FunctionOutputStats = z.object({
  ...outputStats,
  requests_count: z.number(),
})
export const FunctionResourceStats = z.object(resourceStats)
export const FunctionStats = z.object({ ...requestStats, ...outputStats, ...resourceStats })
export type FunctionStats = z.infer<typeof FunctionStats>

/** As public programs expect it: what fails has a status of its own, so there is never an `error` beside a result. */
const answer = <Row extends z.ZodType>(row: Row) => z.object({ result: z.array(row) })

const ByRef = z.object({ ref: ProjectRef })
export const analyticsInputs = {
  counts: ByRef.extend({
    interval: z
      .enum(Object.keys(countIntervals) as [CountInterval, ...CountInterval[]])
      .default('1day'),
  }),
  requests: ByRef,
  stats: ByRef.extend({ interval: z.enum(statIntervals), function_id: z.uuid() }),
}
export const analyticsAnswers = {
  counts: answer(ApiCounts),
  /** Of all services together, in the 24 hours before now; one row. */
  requests: answer(z.object({ count: z.number() })),
  stats: answer(FunctionStats),
}

const needs = inProject('analytics:Read', 'logflare')
const base = '/platform/projects/:ref/analytics/endpoints' as const
const perMinute = 120

/** Figures of a project over time, by the names that programs of the hosted service ask for. The oldest bar first. */
export const analytics = {
  apiCounts: endpoint('analytics.api-counts', `GET ${base}/usage.api-counts`, {
    needs,
    input: analyticsInputs.counts,
    returns: analyticsAnswers.counts,
    perMinute,
  }),
  requestsCount: endpoint('analytics.requests-count', `GET ${base}/usage.api-requests-count`, {
    needs,
    input: analyticsInputs.requests,
    returns: analyticsAnswers.requests,
    perMinute,
  }),
  functionStats: endpoint('analytics.function-stats', `GET ${base}/functions.combined-stats`, {
    needs,
    input: analyticsInputs.stats,
    returns: analyticsAnswers.stats,
    perMinute,
  }),
  functionOutput: endpoint('analytics.function-output', `GET ${base}/functions.inv-stats`, {
    needs,
    input: analyticsInputs.stats,
    returns: answer(FunctionOutputStats),
    perMinute,
  }),
  functionRequests: endpoint('analytics.function-requests', `GET ${base}/functions.req-stats`, {
    needs,
    input: analyticsInputs.stats,
    returns: answer(FunctionRequestStats),
    perMinute,
  }),
  functionResources: endpoint(
    'analytics.function-resources',
    `GET ${base}/functions.resource-usage`,
    { needs, input: analyticsInputs.stats, returns: answer(FunctionResourceStats), perMinute },
  ),
}
