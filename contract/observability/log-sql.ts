import { isLogColumn, isRequestId, logSourceTable, type LogSource } from './log-sources.ts'
import type { LogFilter, LogRange } from './logs.ts'

type Question = Pick<LogRange, 'filters' | 'search' | 'is_pattern'>

/** What a new query begins with. */
export const firstLogSql = {
  analytics: `select timestamp, event_message, metadata
from edge_logs
order by timestamp desc
limit 20`,
  columns: `select timestamp, source, level, event_message
from logs
order by timestamp desc
limit 20`,
} as const

/** Where a question looks: what is read, and how SQL names what a filter is about. */
type Table = {
  from: string
  pathOf: (key: string) => string
  isNumber: (key: string) => boolean
  /** What a search looks at. */
  searched: readonly string[]
  requestId: string | undefined
}

/** A question of a source's page in SQL of the older dialect: the same entries, with the fields that it is narrowed by. */
export const logSql = (source: LogSource, question: Question): string =>
  sqlOf(question, tableOf(source), [])

/** The same of all sources, in the newer dialect. */
export const allLogsSql = (question: Question): string =>
  sqlOf(question, allTable, ['source', 'level'])

function sqlOf(
  { filters, search, is_pattern: isPattern }: Question,
  table: Table,
  first: readonly string[],
): string {
  const conditions = [
    ...filters.map((filter) => filterSql(table, filter)),
    ...(search === '' ? [] : [searchSql(table, search, isPattern)]),
  ]
  const used = [...new Set(filters.map(({ field }) => table.pathOf(field)))]
  const columns = [...new Set(['timestamp', ...first, ...used, 'event_message'])]
  return [
    `select ${columns.join(', ')}`,
    `from ${table.from}`,
    ...conditions.map((condition, at) => `${at === 0 ? 'where' : '  and'} ${condition}`),
    'order by timestamp desc',
    'limit 100',
  ].join('\n')
}

/** A filter names a column or a path; in SQL both are paths of the source. */
function tableOf(source: LogSource): Table {
  const { fields } = logSourceTable[source]
  const fieldOf = (key: string) =>
    fields.find(({ path, column }) => (column ?? path.slice('metadata.'.length)) === key)
  const hasPath = fields.some(({ column }) => column === 'path')
  const pathOf = (key: string) => fieldOf(key)?.path ?? key
  return {
    from: source,
    pathOf,
    isNumber: (key) => fieldOf(key)?.type === 'number',
    // The message of a request holds its path and search already.
    searched:
      hasPath && source !== 'edge_logs' ? ['event_message', pathOf('path')] : ['event_message'],
    requestId: fieldOf('request_id')?.path,
  }
}

const numbers = new Set(
  Object.values(logSourceTable).flatMap(({ fields }) =>
    fields.flatMap(({ path, type, column }) =>
      type === 'number' ? [column ?? path.slice('metadata.'.length)] : [],
    ),
  ),
)
/** Columns have their own names, whatever else an entry tells has its path. */
const allTable: Table = {
  from: 'logs',
  pathOf: (key) =>
    key === 'level' || key === 'source' || isLogColumn(key) ? key : `log_attributes['${key}']`,
  isNumber: (key) => numbers.has(key),
  searched: ['event_message', 'path', 'search'],
  requestId: 'request_id',
}

function filterSql(table: Table, { field, op, values }: LogFilter): string {
  const path = table.pathOf(field)
  const literals = values.map((value) =>
    table.isNumber(field) ? numeric(value) : quoted(String(value)),
  )
  const [first = "''"] = literals
  const list = literals.length === 1 ? `= ${first}` : `in (${literals.join(', ')})`
  switch (op) {
    case 'is':
      return `${path} ${list}`
    case 'is_not':
      // What has no value is not any of them.
      return `(${path} is null or not ${path} ${list})`
    case 'contains': {
      const found = values.map((value) => containsSql(path, String(value)))
      return found.length === 1 ? found.join('') : `(${found.join(' or ')})`
    }
    case 'at_least':
      return `${path} >= ${first}`
    case 'at_most':
      return `${path} <= ${first}`
  }
}

function searchSql(table: Table, search: string, isPattern: boolean): string {
  const found = table.searched.map((path) =>
    isPattern ? `regexp_contains(${path}, ${quoted(`(?i)${search}`)})` : containsSql(path, search),
  )
  if (table.requestId !== undefined && !isPattern && isRequestId(search))
    found.push(`${table.requestId} = ${quoted(search.toLowerCase())}`)
  return found.length === 1 ? found.join('') : `(${found.join(' or ')})`
}

const containsSql = (path: string, text: string) =>
  `contains(lower(${path}), ${quoted(text.toLowerCase())})`

const numeric = (value: string | number): string => {
  const number = Number(value)
  return Number.isFinite(number) ? String(number) : 'null'
}

/** A text of the older dialect, where a backslash escapes. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
