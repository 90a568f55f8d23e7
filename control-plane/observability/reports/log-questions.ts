import { meteredServices, type MeteredService } from '#contract/billing/usage-metrics'
import type { LogQuestion } from '#contract/observability/report-charts'
import type { ReportUnit } from '#contract/observability/reports'

/** Of which points and services. `from` is in microseconds since 1970, `step` too. */
export type Asked = { from: number; step: number; services: readonly MeteredService[] }

/**
 * What a chart asks the logs, in SQL of the newer public dialect, and how its answer is read.
 * - `wide`: the first column is the number of the point, each other one a series.
 * - `long`: number of the point, name of the series, value.
 * - `table`: rows.
 */
export type LogAsk =
  | { shape: 'wide'; sql: string; names: readonly string[]; whole?: string }
  | { shape: 'long'; sql: string }
  | { shape: 'table'; sql: string; columns: readonly Column[] }
type Column = { name: string; unit: ReportUnit }

/** Rows of a table. */
const listed = 50
/** Series that are told apart; more nobody tells apart. */
export const mostSeries = 10

const point = ({ from, step }: Asked) => `div(unix_micros(timestamp) - ${from}, ${step})`

/** All services unless some are left out: then those by the beginnings of their paths. */
function ofServices({ services }: Asked): string {
  if (services.length === meteredServices.length) return 'true'
  const paths = services.map((service) => `startsWith(path, '/${service}/v1')`)
  return paths.length === 0 ? 'false' : `(${paths.join(' or ')})`
}
const edge = (asked: Asked) => `from logs where source = 'edge_logs' and ${ofServices(asked)}`

const percentiles = `quantile(0.5)(duration), quantile(0.95)(duration), quantile(0.99)(duration)`
const percentileNames = ['p50', 'p95', 'p99']
const durations = (asked: Asked, rows: string): LogAsk => ({
  shape: 'wide',
  sql: `select ${point(asked)} as point, ${percentiles} ${rows} and duration is not null group by 1`,
  whole: `select 0, ${percentiles} ${rows} and duration is not null`,
  names: percentileNames,
})
const statuses = (asked: Asked, rows: string): LogAsk => ({
  shape: 'wide',
  sql: `select ${point(asked)} as point, countIf(status >= 400 and status < 500), countIf(status >= 500) ${rows} and status >= 400 group by 1`,
  names: ['4xx client errors', '5xx server errors'],
})

const failed = 'countIf(status >= 400)'
const p95 = 'round(quantile(0.95)(duration), 1)'
const requested: readonly Column[] = [
  { name: 'Method', unit: 'text' },
  { name: 'Path', unit: 'text' },
  { name: 'Requests', unit: 'count' },
  { name: 'Errors', unit: 'count' },
  { name: '95th percentile', unit: 'ms' },
]
const paths = (asked: Asked, order: string, having = ''): LogAsk => ({
  shape: 'table',
  sql: `select method, path, count(*) as requests, ${failed} as errors, ${p95} as p95 ${edge(asked)}
    group by 1, 2 ${having} order by ${order}, 1, 2 limit ${listed}`,
  columns: requested,
})

const functionCalls = `from logs where source = 'function_edge_logs'`

/** Every way to sign in ends at one of these addresses. The refresh of a session is none. */
const signIns = `case
    when path = '/auth/v1/token' and contains(search, 'grant_type=password') then 'password'
    when path = '/auth/v1/token' and contains(search, 'grant_type=id_token') then 'ID token'
    when path = '/auth/v1/token' and contains(search, 'grant_type=web3') then 'web3'
    when path = '/auth/v1/token' and contains(search, 'grant_type=pkce') then 'code'
    when path = '/auth/v1/verify' then 'link or one-time password'
    when path = '/auth/v1/callback' then 'OAuth provider'
    when path = '/auth/v1/sso/saml/acs' then 'SAML'
    when path = '/auth/v1/signup' then 'sign-up' end`

const long = (asked: Asked, name: string, rows: string): LogAsk => ({
  shape: 'long',
  sql: `select ${point(asked)} as point, ${name} as name, count(*) as value ${rows} group by 1, 2 order by 3 desc, 1, 2`,
})

export const logAsks: Record<LogQuestion, (asked: Asked) => LogAsk> = {
  statuses: (asked) => statuses(asked, edge(asked)),
  durations: (asked) => durations(asked, edge(asked)),
  top_paths: (asked) => paths(asked, 'requests desc'),
  slow_paths: (asked) => paths(asked, 'p95 desc', 'having p95 is not null'),
  failing_paths: (asked) => paths(asked, 'errors desc', 'having errors > 0'),
  sign_ins: (asked) =>
    long(
      asked,
      signIns,
      `from logs where source = 'edge_logs' and status < 400 and startsWith(path, '/auth/v1/') and ${signIns} is not null`,
    ),
  sign_in_providers: (asked) =>
    long(
      asked,
      `log_attributes['auth_event.traits.provider']`,
      `from logs where source = 'auth_logs' and log_attributes['auth_event.traits.provider'] is not null`,
    ),
  auth_errors: (asked) =>
    long(
      asked,
      `log_attributes['error_code']`,
      `from logs where source = 'auth_logs' and log_attributes['error_code'] is not null`,
    ),
  cache: (asked) => ({
    shape: 'wide',
    sql: `select ${point(asked)} as point, countIf(cache_status = 'HIT'), countIf(cache_status <> 'HIT') ${edge(asked)} and cache_status is not null group by 1`,
    names: ['Hits', 'Misses'],
  }),
  cache_misses: (asked) => ({
    shape: 'table',
    sql: `select path, count(*) as misses, sum(response_bytes) as bytes ${edge(asked)} and cache_status <> 'HIT'
      group by 1 order by 2 desc, 1 limit ${listed}`,
    columns: [
      { name: 'Path', unit: 'text' },
      { name: 'Misses', unit: 'count' },
      { name: 'Size', unit: 'bytes' },
    ],
  }),
  function_statuses: (asked) => statuses(asked, functionCalls),
  function_durations: (asked) => durations(asked, functionCalls),
  function_versions: () => ({
    shape: 'table',
    sql: `select path, log_attributes['version'], count(*), ${failed}, ${p95} ${functionCalls}
      group by 1, 2 order by 3 desc, 1, 2 limit ${listed}`,
    columns: [
      { name: 'Path', unit: 'text' },
      { name: 'Version', unit: 'text' },
      { name: 'Calls', unit: 'count' },
      { name: 'Errors', unit: 'count' },
      { name: '95th percentile', unit: 'ms' },
    ],
  }),
  realtime_events: (asked) =>
    long(asked, 'severity', `from logs where source = 'realtime_logs' and severity is not null`),
}
