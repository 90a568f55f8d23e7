import { logSources, logSourceTable, type LogSource } from '#contract/observability/log-sources'
import { allLogsSql, logSql } from '#contract/observability/log-sql'
import type { LogRange } from '#contract/observability/logs'
import { allColumns, columnsOf, type LogColumnView } from './columns.tsx'
import { quickFiltersOf, type QuickFilter } from './quick-filters.ts'
import { allFields, fieldsOf, type LogFieldInfo } from './sources.ts'

/** What a list of entries is about: one source, or all of them. */
export type LogScope = {
  /** The name of the list. */
  label: string
  sources: readonly LogSource[]
  /** Whose time of keeping bounds the range. */
  keptAs: LogSource
  fields: readonly LogFieldInfo[]
  /** The filters of the tool bar. */
  quick: readonly QuickFilter[]
  columns: readonly LogColumnView[]
  /** What the explorer is opened with for a question. */
  query: (question: LogRange) => { q: string; dialect?: 'columns' }
}

const madeScope = (source: LogSource): LogScope => ({
  label: logSourceTable[source].title,
  sources: [source],
  keptAs: source,
  fields: fieldsOf(source),
  quick: quickFiltersOf(source),
  columns: columnsOf(source),
  query: (question) => ({ q: logSql(source, question) }),
})

const scopes = new Map(logSources.map((source) => [source, madeScope(source)]))

/** The same object each time, because what a list asks depends on it. */
export const scopeOf = (source: LogSource): LogScope => scopes.get(source) ?? madeScope(source)

/** Every source that this installation has, in one list. */
export const allScope: LogScope = {
  label: 'All logs',
  sources: logSources.filter((source) => logSourceTable[source].absent === undefined),
  keptAs: 'edge_logs',
  fields: allFields,
  quick: [],
  columns: allColumns,
  query: (question) => ({ q: allLogsSql(question), dialect: 'columns' }),
}
