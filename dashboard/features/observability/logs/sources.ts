import {
  isLogColumn,
  logColumns,
  logSources,
  logSourceTable,
  type LogColumn,
  type LogSource,
} from '#contract/observability/log-sources'

/** How a source is written in addresses: `edge-logs`. */
export const slugOf = (source: LogSource): string => source.replaceAll('_', '-')

export const sourceOf = (slug: string): LogSource | undefined =>
  logSources.find((source) => slugOf(source) === slug)

/** Where to look instead of a source that this installation does not have. */
export const insteadOf: Partial<Record<LogSource, LogSource>> = {
  pgbouncer_logs: 'postgres_logs',
  pg_upgrade_logs: 'postgres_logs',
}

export type LogFieldInfo = {
  /** Its name in entries and filters: a column, or a path. */
  key: string
  /** As people read it. */
  name: string
  /** Its path in the public dialects. */
  path: string
  type: 'string' | 'number' | 'boolean'
}

const columnNames: Record<LogColumn, string> = {
  request_id: 'Request ID',
  method: 'Method',
  path: 'Path',
  search: 'Query string',
  host: 'Host',
  status: 'Status',
  duration: 'Duration',
  request_bytes: 'Request size',
  response_bytes: 'Response size',
  address: 'IP address',
  user_agent: 'User agent',
  cache_status: 'Cache status',
  severity: 'Severity',
  user_id: 'User ID',
  function_id: 'Function ID',
  execution_id: 'Execution ID',
}

/** One column, which sources use for what they have that is nearest to a severity. */
const severityNames: Partial<Record<LogSource, string>> = {
  auth_audit_logs: 'Action',
  postgrest_logs: 'Event',
  realtime_logs: 'Event',
  function_logs: 'Event',
  supavisor_logs: 'Event',
}

const capitals = new Set(['id', 'ip', 'sql', 'url'])

/** `parsed.sql_state_code` as 'SQL state code'. */
function nameOfPath(path: string): string {
  const last = path.slice(path.lastIndexOf('.') + 1)
  const words = last.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').split('_')
  return words
    .map((word, at) => {
      if (capitals.has(word.toLowerCase())) return word.toUpperCase()
      return at === 0 ? word.charAt(0).toUpperCase() + word.slice(1) : word.toLowerCase()
    })
    .join(' ')
}

const level: LogFieldInfo = { key: 'level', name: 'Level', path: 'level', type: 'string' }

/** What an entry of a source can have beside its time and message, in the order of the contract. */
export const fieldsOf = (source: LogSource): LogFieldInfo[] => [
  level,
  ...logSourceTable[source].fields.map(({ path, type, column }) => {
    const short = path.slice('metadata.'.length)
    const name =
      (column === 'severity' ? severityNames[source] : undefined) ??
      (column ? columnNames[column] : nameOfPath(short))
    return { key: column ?? short, name, path: short, type }
  }),
]

/** What entries of any source can have: what several have is there once. */
export const allFields: readonly LogFieldInfo[] = [
  level,
  { key: 'source', name: 'Source', path: 'source', type: 'string' },
  ...Object.entries(columnNames).map(([key, name]) => ({
    key,
    name,
    path: key,
    // The keys of a table of columns are columns; entries() has lost that.
    type: logColumns[key as LogColumn],
  })),
  ...new Map(
    logSources
      .flatMap((source) => fieldsOf(source))
      .filter(({ key }) => key !== 'level' && !isLogColumn(key))
      .map((field) => [field.key, field]),
  ).values(),
]

/** The one with this key; one that none of them is, is shown as it is. */
export const fieldIn = (fields: readonly LogFieldInfo[], key: string): LogFieldInfo =>
  fields.find((field) => field.key === key) ?? {
    key,
    name: nameOfPath(key),
    path: key,
    type: 'string',
  }

/** By its key; one that the source does not write is shown as it is. */
export const fieldOf = (source: LogSource, key: string): LogFieldInfo =>
  fieldIn(fieldsOf(source), key)
