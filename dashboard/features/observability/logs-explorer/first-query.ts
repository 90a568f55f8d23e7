import { firstLogSql } from '#contract/observability/log-sql'
import { draftOf, type LogDialect } from './kept-queries.ts'
import type { ExplorerParams } from './explorer-params.ts'

/** What a new query begins with; the operator's own is of the older dialect. */
const beginning = (dialect: LogDialect, ownQuery: string | null): string =>
  dialect === 'analytics' ? (ownQuery ?? firstLogSql.analytics) : firstLogSql.columns

/** What the editor shows first: what the address has, or what this tab had, or a beginning. */
export function firstQuery(
  ref: string,
  { q, dialect: newer }: ExplorerParams,
  ownQuery: string | null,
): string {
  if (q !== undefined) return q
  const dialect = newer ?? 'analytics'
  const draft = draftOf(ref)
  return draft?.dialect === dialect ? draft.sql : beginning(dialect, ownQuery)
}

/** The text for another dialect: nobody has changed the beginning, so it becomes that of the other one. */
export function otherDialect(text: string, next: LogDialect, ownQuery: string | null): string {
  const before = beginning(next === 'columns' ? 'analytics' : 'columns', ownQuery)
  return text.trim() === '' || text === before ? beginning(next, ownQuery) : text
}
