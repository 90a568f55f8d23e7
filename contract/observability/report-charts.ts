import type { MeteredMetric, MeteredService } from '../billing/usage-metrics.ts'
import type { LogSource } from './log-sources.ts'

/** What a sample of a project's server holds (`platform.metric_samples`). */
export type SampleValue =
  | 'cpu'
  | 'cpu_max'
  | 'memory_bytes'
  | 'connections'
  | 'database_bytes'
  | 'other_bytes'
  | 'read_bytes'
  | 'written_bytes'
  | 'restarts'

/** Questions about logs that charts ask; the control plane has their SQL. */
export const logQuestions = [
  'statuses',
  'durations',
  'top_paths',
  'slow_paths',
  'failing_paths',
  'sign_ins',
  'sign_in_providers',
  'auth_errors',
  'cache',
  'cache_misses',
  'function_statuses',
  'function_durations',
  'function_versions',
  'realtime_events',
] as const
export type LogQuestion = (typeof logQuestions)[number]

/** What is asked of a project's database at the moment, whatever the range. */
export type DatabaseQuestion = 'largest_tables' | 'connections_by_role'

/** Where the figures of a chart come from. */
export type ChartSource =
  /** What the services count for billing: a series for each metric. */
  | { from: 'usage'; metrics: readonly MeteredMetric[] }
  /** The log of requests; of these services only. */
  | { from: 'logs'; question: LogQuestion; services?: readonly MeteredService[] }
  /** What is measured of the server once a minute. */
  | { from: 'samples'; values: readonly SampleValue[] }
  | { from: 'database'; question: DatabaseQuestion }

export type Chart = {
  title: string
  /** What it shows, as a sentence without its full stop. */
  about: string
  unit: 'count' | 'bytes' | 'ms' | 'percent'
  /** `bars` are stacked. A table has columns of its own. */
  kind: 'lines' | 'bars' | 'table'
  /** What stands beside the title: see `summary` in reports.ts. */
  summary: 'sum' | 'highest' | 'overall' | 'none'
  source: ChartSource
  /** Whether it can be narrowed to some services. */
  narrowed?: true
  /** Where the entries behind it are. */
  logs?: LogSource
}

const usage = (
  title: string,
  about: string,
  unit: 'count' | 'bytes',
  ...metrics: MeteredMetric[]
): Chart => ({
  title,
  about,
  unit,
  kind: 'bars',
  summary: 'sum',
  source: { from: 'usage', metrics },
})
const asked = (
  look: Pick<Chart, 'title' | 'about' | 'unit' | 'kind' | 'summary' | 'logs' | 'narrowed'>,
  question: LogQuestion,
  ...services: MeteredService[]
): Chart => ({
  ...look,
  source: { from: 'logs', question, ...(services.length > 0 && { services }) },
})
const sampled = (
  title: string,
  about: string,
  unit: Chart['unit'],
  ...values: SampleValue[]
): Chart => ({
  title,
  about,
  unit,
  kind: 'lines',
  summary: 'highest',
  source: { from: 'samples', values },
})

const errors = {
  title: 'Response errors',
  about: 'Requests answered with a status of 400 or above',
  unit: 'count',
  kind: 'bars',
  summary: 'sum',
  logs: 'edge_logs',
} as const
const speed = {
  title: 'Response speed',
  about: 'How long requests took until they were answered, by percentile',
  unit: 'ms',
  kind: 'lines',
  summary: 'overall',
  logs: 'edge_logs',
} as const
const paths = { unit: 'count', kind: 'table', summary: 'none', logs: 'edge_logs' } as const
const topPaths = {
  ...paths,
  title: 'Top paths',
  about: 'The paths requested most often',
} as const
const slowPaths = {
  ...paths,
  title: 'Slow paths',
  about: 'The paths with the longest responses, by their 95th percentile',
} as const
const failingPaths = {
  ...paths,
  title: 'Failing paths',
  about: 'The paths with the most errors',
} as const
const many = { narrowed: true } as const

const requests = (metric: MeteredMetric) =>
  usage('Requests', 'Requests to the service', 'count', metric)
const traffic = (...metrics: MeteredMetric[]) =>
  usage('Network traffic', 'Bytes sent to clients', 'bytes', ...metrics)

/** Every chart by its key. A report is a list of them, and so is whatever else shows some. */
export const charts = {
  api_requests: {
    ...usage(
      'Total requests',
      'Requests to all services, by service',
      'count',
      'requests_rest',
      'requests_graphql',
      'requests_auth',
      'requests_storage',
      'requests_functions',
      'requests_realtime',
    ),
    ...many,
    logs: 'edge_logs',
  },
  api_errors: asked({ ...errors, ...many }, 'statuses'),
  api_speed: asked({ ...speed, ...many }, 'durations'),
  api_traffic: {
    ...usage(
      'Network traffic',
      'Bytes sent to clients, by service',
      'bytes',
      'egress_rest',
      'egress_graphql',
      'egress_auth',
      'egress_storage',
      'egress_functions',
      'egress_realtime',
    ),
    ...many,
  },
  api_top_paths: asked({ ...topPaths, ...many }, 'top_paths'),
  api_slow_paths: asked({ ...slowPaths, ...many }, 'slow_paths'),
  api_failing_paths: asked({ ...failingPaths, ...many }, 'failing_paths'),

  auth_requests: requests('requests_auth'),
  auth_sign_ins: asked(
    {
      title: 'Sign-ins',
      about: 'Completed sign-ins, by method. Refreshed sessions are not counted',
      unit: 'count',
      kind: 'bars',
      summary: 'sum',
      logs: 'auth_logs',
    },
    'sign_ins',
  ),
  auth_providers: asked(
    {
      title: 'Sign-ins by provider',
      about: 'Completed sign-ins and sign-ups, by the provider that people used',
      unit: 'count',
      kind: 'bars',
      summary: 'sum',
      logs: 'auth_logs',
    },
    'sign_in_providers',
  ),
  auth_errors: asked(
    {
      title: 'Auth errors',
      about: 'Answers with an error code, by code',
      unit: 'count',
      kind: 'bars',
      summary: 'sum',
      logs: 'auth_logs',
    },
    'auth_errors',
  ),
  auth_speed: asked(speed, 'durations', 'auth'),
  auth_traffic: traffic('egress_auth'),

  storage_requests: requests('requests_storage'),
  storage_errors: asked(errors, 'statuses', 'storage'),
  storage_speed: asked(speed, 'durations', 'storage'),
  storage_traffic: {
    ...traffic('egress_storage', 'egress_cached'),
    about: 'Bytes sent to clients: uncached and cached',
  },
  storage_cache: asked(
    {
      title: 'Cache',
      about: 'Requests for files answered from a cache, and those that were not',
      unit: 'count',
      kind: 'bars',
      summary: 'sum',
      logs: 'edge_logs',
    },
    'cache',
    'storage',
  ),
  storage_cache_misses: asked(
    { ...paths, title: 'Top cache misses', about: 'The files that caches lacked most often' },
    'cache_misses',
    'storage',
  ),

  database_cpu: sampled(
    'CPU usage',
    'Processor time of the database server. 100% is one core',
    'percent',
    'cpu',
    'cpu_max',
  ),
  database_memory: sampled(
    'Memory usage',
    'Memory of the database server: its processes, and what they share',
    'bytes',
    'memory_bytes',
  ),
  database_connections: sampled(
    'Database connections',
    'Open connections to the database server, those of the project’s services included',
    'count',
    'connections',
  ),
  database_size: sampled(
    'Disk usage',
    'Size of the databases, and of the write-ahead log beside them',
    'bytes',
    'database_bytes',
    'other_bytes',
  ),
  database_disk_io: {
    ...sampled(
      'Disk I/O',
      'Bytes that the database server read from the disk and wrote to it. What the memory has is not read',
      'bytes',
      'read_bytes',
      'written_bytes',
    ),
    kind: 'bars',
    summary: 'sum',
  },
  database_restarts: {
    ...sampled(
      'Restarts',
      'How often the database server was started again: by hand, after a pause or a crash',
      'count',
      'restarts',
    ),
    kind: 'bars',
    summary: 'sum',
  },
  database_largest_tables: {
    title: 'Largest tables',
    about: 'Tables by their size now, with indexes and large values',
    unit: 'bytes',
    kind: 'table',
    summary: 'none',
    source: { from: 'database', question: 'largest_tables' },
  },
  database_traffic: {
    ...traffic('egress_database'),
    about: 'Bytes sent to direct connections',
  },

  functions_invocations: {
    ...usage('Invocations', 'Calls of edge functions', 'count', 'function_invocations'),
    logs: 'function_edge_logs',
  },
  functions_errors: asked(
    {
      ...errors,
      about: 'Calls answered with a status of 400 or above',
      logs: 'function_edge_logs',
    },
    'function_statuses',
  ),
  functions_speed: asked(
    {
      ...speed,
      title: 'Execution time',
      about: 'How long calls took, by percentile',
      logs: 'function_edge_logs',
    },
    'function_durations',
  ),
  functions_versions: asked(
    {
      ...paths,
      title: 'Functions by version',
      about: 'Calls, errors and execution time of each deployed version',
      logs: 'function_edge_logs',
    },
    'function_versions',
  ),
  functions_traffic: traffic('egress_functions'),

  rest_requests: { ...requests('requests_rest'), logs: 'edge_logs' },
  rest_errors: asked(errors, 'statuses', 'rest'),
  rest_speed: asked(speed, 'durations', 'rest'),
  rest_traffic: traffic('egress_rest'),
  rest_top_paths: asked(topPaths, 'top_paths', 'rest'),
  rest_slow_paths: asked(slowPaths, 'slow_paths', 'rest'),

  realtime_connections: {
    ...usage(
      'Connected clients',
      'The most clients connected at once',
      'count',
      'realtime_connections',
    ),
    kind: 'lines',
    summary: 'highest',
    logs: 'realtime_logs',
  },
  realtime_messages: usage('Messages', 'Messages sent and received', 'count', 'realtime_messages'),
  realtime_events: asked(
    {
      title: 'Connection events',
      about: 'Connections, disconnections and refusals',
      unit: 'count',
      kind: 'bars',
      summary: 'sum',
      logs: 'realtime_logs',
    },
    'realtime_events',
  ),
  realtime_traffic: traffic('egress_realtime'),

  connections_direct: usage(
    'Direct connections',
    'Direct connections that were opened, or carried something, minute by minute',
    'count',
    'database_connections',
  ),
  connections_by_role: {
    title: 'Connections by role',
    about: 'Open connections now, by role and state',
    unit: 'count',
    kind: 'table',
    summary: 'none',
    source: { from: 'database', question: 'connections_by_role' },
  },
} as const satisfies Record<string, Chart>
export type ChartKey = keyof typeof charts

// The keys of a constant are its own.
export const chartKeys = Object.keys(charts) as ChartKey[]
export const isChartKey = (key: string): key is ChartKey => Object.hasOwn(charts, key)
/** With the type that all charts share. */
export const chartOf = (key: ChartKey): Chart => charts[key]

/** The metrics that a chart counts; of those that can be narrowed, the ones of some services. */
export function metricsOf(
  key: ChartKey,
  services: readonly MeteredService[] | undefined,
): readonly MeteredMetric[] {
  const { source, narrowed } = chartOf(key)
  if (source.from !== 'usage') return []
  if (!narrowed || services === undefined) return source.metrics
  return source.metrics.filter((metric) =>
    services.some((service) => metric === `requests_${service}` || metric === `egress_${service}`),
  )
}
