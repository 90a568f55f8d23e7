import { meteredServices, type MeteredMetric } from '#contract/billing/usage-metrics'
import type { ProjectMetrics } from '#contract/observability/project-metrics'
import type { DatabaseFigures } from './database-store.ts'

type Line = { labels?: Record<string, string>; value: number }
type Family = { name: string; type: 'gauge' | 'counter'; help: string; lines: Line[] }

/** In words, by the names that other platforms have too. Those that end in `_total` are counters. */
const databaseHelp: Record<string, string> = {
  pg_stat_database_num_backends: 'Connections to the database',
  pg_stat_database_xact_commit_total: 'Transactions that were committed',
  pg_stat_database_xact_rollback_total: 'Transactions that were rolled back',
  pg_stat_database_blks_read_total: 'Blocks read from disk',
  pg_stat_database_blks_hit_total: 'Blocks found in the cache',
  pg_stat_database_tup_returned_total: 'Rows read by scans',
  pg_stat_database_tup_fetched_total: 'Rows fetched by indexes',
  pg_stat_database_tup_inserted_total: 'Rows inserted',
  pg_stat_database_tup_updated_total: 'Rows updated',
  pg_stat_database_tup_deleted_total: 'Rows deleted',
  pg_stat_database_conflicts_total: 'Queries cancelled because of recovery',
  pg_stat_database_deadlocks_total: 'Deadlocks',
  pg_stat_database_temp_files_total: 'Temporary files of queries',
  pg_stat_database_temp_bytes_total: 'Bytes written to temporary files',
  pg_stat_bgwriter_checkpoints_timed_total: 'Checkpoints whose time had come',
  pg_stat_bgwriter_checkpoints_req_total: 'Checkpoints that were requested',
  pg_stat_bgwriter_buffers_checkpoint_total: 'Buffers written by checkpoints',
  pg_stat_bgwriter_buffers_clean_total: 'Buffers written by the background writer',
  pg_stat_bgwriter_maxwritten_clean_total: 'Times the background writer stopped early',
  pg_stat_bgwriter_buffers_alloc_total: 'Buffers allocated',
  pg_database_size_mb: 'Size of the database in megabytes',
  pg_settings_max_connections: 'Connections that the server accepts at most',
  pg_postmaster_start_time_seconds: 'When the server was started, in seconds since 1970',
  replication_realtime_lag_bytes: 'Write-ahead log that Realtime has still to read',
  pg_stat_statements_total_queries: 'Statements that were run',
  pg_stat_statements_total_time_seconds: 'Time in all statements',
}
const isCounter = (name: string) => /_total$|^pg_stat_statements_total_/.test(name)

const usageFamilies: {
  name: string
  help: string
  metrics: Partial<Record<MeteredMetric, string>>
}[] = [
  {
    name: 'plinth_requests_total',
    help: 'Requests, by service',
    metrics: Object.fromEntries(
      meteredServices.map((service) => [`requests_${service}`, service] as const),
    ),
  },
  {
    name: 'plinth_egress_bytes_total',
    help: 'Bytes sent to clients, by service',
    metrics: {
      ...Object.fromEntries(
        meteredServices.map((service) => [`egress_${service}`, service] as const),
      ),
      egress_database: 'database',
      egress_cached: 'cache',
    },
  },
]

/** Whose figures are scraped, and what is known of it. `database` is undefined where it does not answer. */
export type Scraped = {
  ref: string
  known: ProjectMetrics
  database: DatabaseFigures | undefined
  /** Of direct connections; undefined where another process takes them. */
  gateway:
    | { connections: number; received: number; sent: number; pool?: PoolerFigures | undefined }
    | undefined
}
/** Of clients in transaction mode, and the connections to the server that they share. */
type PoolerFigures = Record<
  | 'clients'
  | 'connections'
  | 'idle'
  | 'waiting'
  | 'waits'
  | 'waitSeconds'
  | 'refusedWaits'
  | 'resets',
  number
>

/** Of the pooler in transaction mode; absent until somebody has used it. */
function poolerFamilies(pool: PoolerFigures): Family[] {
  const family = (
    name: string,
    help: string,
    ...lines: [labels: Record<string, string>, value: number][]
  ): Family => ({
    name: `plinth_pooler_${name}`,
    type: name.endsWith('_total') ? 'counter' : 'gauge',
    help,
    lines: lines.map(([labels, value]) => ({ labels, value })),
  })
  return [
    family('clients', 'Clients in transaction mode', [{}, pool.clients]),
    family(
      'connections',
      'Connections to the server that they share',
      [{ state: 'used' }, pool.connections - pool.idle],
      [{ state: 'idle' }, pool.idle],
    ),
    family('waiting', 'Clients that wait for a connection', [{}, pool.waiting]),
    family('waits_total', 'Times that a client has waited', [{}, pool.waits]),
    family('wait_seconds_total', 'Time for which clients have waited', [{}, pool.waitSeconds]),
    family('refused_waits_total', 'Times that a client has waited in vain', [
      {},
      pool.refusedWaits,
    ]),
    family('resets_total', 'Times that a connection was reset', [{}, pool.resets]),
  ]
}

function familiesOf({ known, database, gateway }: Scraped): Family[] {
  const { load, disk, totals, memory_limit: limit, restarts } = known
  const gauge = (name: string, help: string, value: number, labels = {}): Family => ({
    name,
    type: 'gauge',
    help,
    lines: [{ labels, value }],
  })
  const total = (metric: string) => totals.find((one) => one.metric === metric)?.value ?? 0
  const counter = (name: string, help: string, value: number, labels = {}): Family => ({
    ...gauge(name, help, value, labels),
    type: 'counter',
  })
  return [
    gauge('pg_up', 'Whether the database answers', database ? 1 : 0),
    ...Object.entries(databaseHelp).flatMap(([name, help]): Family[] => {
      const value = database?.[name]
      if (value === undefined) return []
      return [isCounter(name) ? counter(name, help, value) : gauge(name, help, value)]
    }),
    ...(load
      ? [
          counter(
            'node_cpu_seconds_total',
            'Processor time of the database server since it was started',
            load.cpu_seconds,
            { mode: 'busy' },
          ),
          gauge(
            'plinth_memory_used_bytes',
            'Memory of the processes of the database server',
            load.memory_bytes,
          ),
        ]
      : []),
    ...(limit === null
      ? []
      : [gauge('node_memory_MemTotal_bytes', 'Memory of the compute size', limit)]),
    ...(load && limit !== null
      ? [
          gauge(
            'node_memory_MemAvailable_bytes',
            'Memory of the compute size that is not used',
            Math.max(0, limit - load.memory_bytes),
          ),
        ]
      : []),
    ...(disk
      ? [
          {
            name: 'plinth_disk_used_bytes',
            type: 'gauge' as const,
            help: 'Disk of the databases, and of the write-ahead log and its like',
            lines: [
              { labels: { part: 'database' }, value: disk.database_bytes },
              { labels: { part: 'wal' }, value: disk.other_bytes },
            ],
          },
        ]
      : []),
    ...(load && load.read_bytes !== null && load.written_bytes !== null
      ? [
          counter(
            'node_disk_read_bytes_total',
            'Bytes that the database server has read from the disk since it was started',
            load.read_bytes,
          ),
          counter(
            'node_disk_written_bytes_total',
            'Bytes that the database server has written to the disk since it was started',
            load.written_bytes,
          ),
        ]
      : []),
    ...(restarts === null
      ? []
      : [
          counter(
            'postgresql_restarts_total',
            'Times the database server was started again',
            restarts,
          ),
        ]),
    ...(gateway
      ? [
          gauge(
            'supavisor_connections_active',
            'Open direct connections to the database',
            gateway.connections,
          ),
          counter(
            'supavisor_client_network_recv',
            'Bytes that direct connections have sent',
            gateway.received,
          ),
          counter(
            'supavisor_client_network_send',
            'Bytes that direct connections were sent',
            gateway.sent,
          ),
        ]
      : []),
    ...(gateway?.pool ? poolerFamilies(gateway.pool) : []),
    ...usageFamilies.map(({ name, help, metrics }): Family => ({
      name,
      type: 'counter',
      help,
      lines: Object.entries(metrics).map(([metric, service]) => ({
        labels: { service },
        value: total(metric),
      })),
    })),
    counter(
      'plinth_function_invocations_total',
      'Calls of edge functions',
      total('function_invocations'),
    ),
    counter('plinth_realtime_messages_total', 'Messages of Realtime', total('realtime_messages')),
  ]
}

const escaped = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

/** In the text format of Prometheus (version 0.0.4). Every line names the project. */
export function metricsText(scraped: Scraped): string {
  const common = { supabase_project_ref: scraped.ref }
  const lines = familiesOf(scraped).flatMap(({ name, type, help, lines: own }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...own.map(({ labels = {}, value }) => {
      const all = Object.entries({ ...common, ...labels })
      return `${name}{${all.map(([label, text]) => `${label}="${escaped(text)}"`).join(',')}} ${value}`
    }),
  ])
  return lines.map((line) => `${line}\n`).join('')
}
