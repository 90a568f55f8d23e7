import { firstLogSql } from '#contract/observability/log-sql'
import { presetIds } from '../../../modules/logs/range.ts'
import {
  oneOf,
  searchParams,
  text,
  type Param,
  type SearchOf,
} from '../../../session/search-params.ts'
import { draftOf, type LogDialect } from './kept-queries.ts'

const moment: Param<string> = (value) =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined

/** What the explorer keeps in its address. */
export const explorerParams = searchParams({
  /** The query. One that came with the address runs at once. */
  q: text,
  /** `columns`: the newer one; the older one without it. */
  dialect: oneOf('columns'),
  range: oneOf(...presetIds),
  from: moment,
  to: moment,
  view: oneOf('chart'),
  /** The saved query that is open. */
  saved: text,
})
type Read = SearchOf<typeof explorerParams>
export type ExplorerParams = { [Name in keyof Read]?: Read[Name] | undefined }

/** A longer query would make an address that servers refuse; it stays in this browser. */
const longestInAddress = 3000

export const addressable = (sql: string): string | undefined =>
  encodeURIComponent(sql).length <= longestInAddress ? sql : undefined

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
