import { logDialects } from '#contract/observability/logs'

export type LogDialect = (typeof logDialects)[number]
export type KeptQuery = {
  sql: string
  dialect: LogDialect
  /** When it ran last, in milliseconds since 1970. */
  at: number
}

/** How many are kept of a project. */
export const mostRecent = 50
const longest = 20_000

const recentKey = (ref: string) => `plinth.logs-explorer-recent-${ref}`
const draftKey = (ref: string) => `plinth.logs-explorer-draft-${ref}`

/** What ran in this browser, the newest first. What else stands in the place, as of another version, is no query. */
export function recentQueries(ref: string): KeptQuery[] {
  const kept = read(localStorage.getItem(recentKey(ref)))
  return (Array.isArray(kept) ? kept : []).filter(isQuery).slice(0, mostRecent)
}

/** The same query again only moves to the front. */
export const withRecent = (before: readonly KeptQuery[], query: KeptQuery): KeptQuery[] =>
  query.sql.length > longest || query.sql.trim() === ''
    ? [...before]
    : [
        query,
        ...before.filter(({ sql, dialect }) => sql !== query.sql || dialect !== query.dialect),
      ].slice(0, mostRecent)

export const rememberQuery = (ref: string, query: KeptQuery): void =>
  keep(localStorage, recentKey(ref), withRecent(recentQueries(ref), query))

export const forgetQueries = (ref: string): void => localStorage.removeItem(recentKey(ref))

/** What stands in the editor of this tab and may never have run. */
export function draftOf(ref: string): Omit<KeptQuery, 'at'> | undefined {
  const kept = read(sessionStorage.getItem(draftKey(ref)))
  return isQuery(kept) ? kept : undefined
}

export const keepDraft = (ref: string, draft: Omit<KeptQuery, 'at'>): void =>
  keep(sessionStorage, draftKey(ref), { ...draft, at: 0 })

function keep(storage: Storage, key: string, value: unknown): void {
  try {
    storage.setItem(key, JSON.stringify(value))
  } catch {
    // Without room it is merely forgotten.
  }
}

function read(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}

function isQuery(value: unknown): value is KeptQuery {
  if (typeof value !== 'object' || value === null) return false
  const { sql, dialect, at } = value as Partial<Record<keyof KeptQuery, unknown>>
  return (
    typeof sql === 'string' &&
    typeof at === 'number' &&
    logDialects.some((known) => known === dialect)
  )
}
