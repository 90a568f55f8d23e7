import { isRequestId, logSourceTable, type LogSource } from './log-sources.ts'
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

/** A question of a source's page in SQL of the older dialect: the same entries, with the fields that it is narrowed by. */
export function logSql(source: LogSource, { filters, search, is_pattern }: Question): string {
  const conditions = [
    ...filters.map((filter) => filterSql(source, filter)),
    ...(search === '' ? [] : [searchSql(source, search, is_pattern)]),
  ]
  const used = [...new Set(filters.map(({ field }) => pathOf(source, field)))]
  const columns = ['timestamp', ...used, 'event_message']
  return [
    `select ${columns.join(', ')}`,
    `from ${source}`,
    ...conditions.map((condition, at) => `${at === 0 ? 'where' : '  and'} ${condition}`),
    'order by timestamp desc',
    'limit 100',
  ].join('\n')
}

/** A filter names a column or a path; in SQL both are paths of the source. */
function pathOf(source: LogSource, key: string): string {
  const known = logSourceTable[source].fields.find(
    ({ path, column }) => (column ?? path.slice('metadata.'.length)) === key,
  )
  return known?.path ?? key
}

function filterSql(source: LogSource, { field, op, values }: LogFilter): string {
  const path = pathOf(source, field)
  const isNumber = logSourceTable[source].fields.some(
    (each) => each.path === path && each.type === 'number',
  )
  const literals = values.map((value) => (isNumber ? numeric(value) : quoted(String(value))))
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

function searchSql(source: LogSource, search: string, isPattern: boolean): string {
  const hasPath = logSourceTable[source].fields.some(({ column }) => column === 'path')
  // The message of a request holds its path and search already.
  const places =
    hasPath && source !== 'edge_logs'
      ? ['event_message', pathOf(source, 'path')]
      : ['event_message']
  const found = places.map((path) =>
    isPattern ? `regexp_contains(${path}, ${quoted(`(?i)${search}`)})` : containsSql(path, search),
  )
  const byId = logSourceTable[source].fields.find(({ column }) => column === 'request_id')
  if (byId && !isPattern && isRequestId(search))
    found.push(`${byId.path} = ${quoted(search.toLowerCase())}`)
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
