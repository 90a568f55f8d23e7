/** Where the entries of a project's logs come from, in the order in which they are shown. The names are the public ones. */
export const logSources = [
  'edge_logs',
  'postgres_logs',
  'postgrest_logs',
  'auth_logs',
  'auth_audit_logs',
  'storage_logs',
  'realtime_logs',
  'function_edge_logs',
  'function_logs',
  'supavisor_logs',
  'pgbouncer_logs',
  'pg_upgrade_logs',
] as const
export type LogSource = (typeof logSources)[number]

export const logLevels = ['debug', 'info', 'warning', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

/**
 * What every entry has beside its source, level, time and message: columns of their own in the files, because they are often
 * asked for. Numbers of `number`; durations in milliseconds. Whatever else a source says of an entry is in its `rest`, by the
 * path that public templates have for it, without `metadata.` in front.
 */
export const logColumns = {
  request_id: 'string',
  method: 'string',
  path: 'string',
  search: 'string',
  host: 'string',
  status: 'number',
  duration: 'number',
  request_bytes: 'number',
  response_bytes: 'number',
  address: 'string',
  user_agent: 'string',
  cache_status: 'string',
  severity: 'string',
  user_id: 'string',
  function_id: 'string',
  execution_id: 'string',
} as const satisfies Record<string, 'string' | 'number'>
export type LogColumn = keyof typeof logColumns

type Field = {
  /** Its path in the public dialects. */
  path: string
  type: 'string' | 'number' | 'boolean'
  /** Which column has it; its own path behind `metadata.` in `rest` unless said. */
  column?: LogColumn
}
type Source = {
  /** As pages call it. */
  title: string
  /** What its entries are, as a sentence. */
  about: string
  fields: readonly Field[]
  /** Why there is nothing to see on this installation; only of sources that it does not have. */
  absent?: string
  /** Why there is nothing to see where the database's server is somebody else's. */
  absentElsewhere?: string
}

const string = (path: string, column?: LogColumn): Field => ({
  path: `metadata.${path}`,
  type: 'string',
  ...(column && { column }),
})
const number = (path: string, column?: LogColumn): Field => ({
  path: `metadata.${path}`,
  type: 'number',
  ...(column && { column }),
})

/** What is known of each source. Pages, the search, the explorer's completion and the services that write read this. */
export const logSourceTable: Record<LogSource, Source> = {
  edge_logs: {
    title: 'API gateway',
    about: 'Every request to the data API, Auth, Storage, Realtime and Edge Functions',
    fields: [
      string('request.method', 'method'),
      string('request.path', 'path'),
      string('request.search', 'search'),
      string('request.host', 'host'),
      string('load_balancer_redirect_identifier'),
      string('request.protocol'),
      string('request.headers.user_agent', 'user_agent'),
      string('request.headers.x_real_ip', 'address'),
      string('request.headers.referer'),
      string('request.headers.x_client_info'),
      string('request.cf.country'),
      string('request.headers.cf_ray'),
      number('request.headers.content_length', 'request_bytes'),
      number('response.status_code', 'status'),
      number('response.origin_time', 'duration'),
      number('response.headers.content_length', 'response_bytes'),
      string('response.headers.content_type'),
      string('response.headers.cf_cache_status', 'cache_status'),
      string('request.id', 'request_id'),
      string('request.trace_id'),
    ],
  },
  postgres_logs: {
    title: 'Postgres',
    about: 'What the database server writes: failing statements, refused connections, checkpoints',
    absentElsewhere:
      'This installation does not run the server of this database. Its log is where its operator keeps it.',
    fields: [
      string('parsed.error_severity', 'severity'),
      string('parsed.sql_state_code'),
      string('parsed.user_name'),
      string('parsed.database_name'),
      string('parsed.application_name'),
      string('parsed.backend_type'),
      string('parsed.command_tag'),
      string('parsed.connection_from', 'address'),
      string('parsed.session_id'),
      string('parsed.session_start_time'),
      number('parsed.session_line_num'),
      number('parsed.process_id'),
      string('parsed.query_id'),
      number('parsed.transaction_id'),
      string('parsed.virtual_transaction_id'),
      string('parsed.detail'),
      string('parsed.hint'),
      string('parsed.context'),
      string('parsed.request_id', 'request_id'),
    ],
  },
  postgrest_logs: {
    title: 'Data API',
    about: 'Reloads of the schema, refused connections and changes of settings',
    fields: [string('event', 'severity')],
  },
  auth_logs: {
    title: 'Auth',
    about: 'Every answer of Auth, with the person, the provider and the error code',
    fields: [
      string('method', 'method'),
      string('path', 'path'),
      number('status', 'status'),
      number('duration', 'duration'),
      string('remote_addr', 'address'),
      string('referer'),
      string('error_code'),
      string('auth_event.action'),
      string('auth_event.actor_id', 'user_id'),
      string('auth_event.log_type'),
      string('auth_event.traits.provider'),
      string('request_id', 'request_id'),
    ],
  },
  auth_audit_logs: {
    title: 'Auth audit',
    about: 'What people did with their accounts: signed up, signed in, changed their password',
    fields: [
      string('auth_audit_event.action', 'severity'),
      string('auth_audit_event.actor_id', 'user_id'),
      string('auth_audit_event.actor_username'),
      string('auth_audit_event.log_type'),
      string('auth_audit_event.audit_log_id'),
      string('auth_audit_event.ip_address', 'address'),
    ],
  },
  storage_logs: {
    title: 'Storage',
    about: 'Every operation on files, by the storage API, resumable uploads and the S3 protocol',
    fields: [
      string('req.method', 'method'),
      string('req.url', 'path'),
      string('req.remoteAddress', 'address'),
      string('req.headers.user_agent', 'user_agent'),
      number('req.headers.content_length', 'request_bytes'),
      number('res.statusCode', 'status'),
      number('res.headers.content_length', 'response_bytes'),
      string('res.headers.content_type'),
      number('responseTime', 'duration'),
      string('reqId', 'request_id'),
      string('bucket'),
      string('object'),
    ],
  },
  realtime_logs: {
    title: 'Realtime',
    about: 'Connections, refusals and limits of Realtime',
    fields: [
      string('event', 'severity'),
      number('measurements.connected'),
      number('measurements.limit'),
    ],
  },
  function_edge_logs: {
    title: 'Edge Function calls',
    about: 'Every call of an edge function, with its status and how long it took',
    fields: [
      string('function_id', 'function_id'),
      string('execution_id', 'execution_id'),
      string('deployment_id'),
      string('version'),
      number('execution_time_ms', 'duration'),
      string('request.method', 'method'),
      string('request.pathname', 'path'),
      number('response.status_code', 'status'),
      string('request.id', 'request_id'),
    ],
  },
  function_logs: {
    title: 'Edge Function output',
    about: 'What edge functions write to their console, and when their workers begin and end',
    fields: [
      string('function_id', 'function_id'),
      string('execution_id', 'execution_id'),
      string('event_type', 'severity'),
      string('request.id', 'request_id'),
      string('deployment_id'),
      string('version'),
      string('region'),
    ],
  },
  supavisor_logs: {
    title: 'Database connections',
    about:
      'Connections to the database, through its own port or through the pooler that all projects share (pool_mode)',
    absentElsewhere:
      'This installation does not run the server of this database, and connections do not pass it.',
    fields: [
      string('event', 'severity'),
      string('address', 'address'),
      string('user'),
      string('db_name'),
      string('pool_mode'),
      string('application_name'),
      string('sql_state_code'),
      number('duration', 'duration'),
      number('bytes_received', 'request_bytes'),
      number('bytes_sent', 'response_bytes'),
      number('process_id'),
    ],
  },
  pgbouncer_logs: {
    title: 'Dedicated pooler',
    about: 'What the dedicated pooler writes',
    fields: [],
    absent: 'This installation has no dedicated pooler.',
  },
  pg_upgrade_logs: {
    title: 'Postgres upgrades',
    about: 'Steps and output of upgrades of the database server',
    fields: [],
    absent: 'This installation does not upgrade database servers to another major version.',
  },
}

/** Whether a text looks like the ID that the gateway gives a request. */
export const isRequestId = (text: string): boolean =>
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

export const isLogColumn = (name: string): name is LogColumn => Object.hasOwn(logColumns, name)
