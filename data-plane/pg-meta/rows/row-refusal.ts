import type { DatabaseError } from 'pg'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'

type Said = Partial<Pick<DatabaseError, 'code' | 'column' | 'constraint' | 'detail' | 'where'>>
type Known = Pick<EntityDetail, 'columns' | 'checks' | 'foreign_keys'>

/**
 * The columns of a row that a failure is about: Postgres names one, a constraint, the columns of a key, or which of the
 * values that were sent it could not read; else it can only be the one that was written. `written` are the columns of the
 * statement's first parameters.
 */
export function columnsOfError(
  { code, column, constraint, detail, where }: Said,
  { columns, checks, foreign_keys: links }: Known,
  written: readonly string[],
): string[] {
  if (column) return [column]
  const own = [...checks, ...links].find(({ name }) => name === constraint)
  if (own) return own.columns
  // Its texts may be in any language; their marks are the same in all.
  const key = /\((.*?)\)=\(/.exec(detail ?? '')?.[1]
  const known = new Set(columns.map(({ name }) => name))
  const named = key === undefined ? [] : identifiers(key).filter((name) => known.has(name))
  if (named.length > 0) return named
  const sent = code?.startsWith('22') && /^[^$\n]*\$(\d+)(?: = |$)/.exec(where ?? '')?.[1]
  const unread = sent ? written[Number(sent) - 1] : undefined
  if (unread !== undefined) return [unread]
  return written.length === 1 ? [...written] : []
}

/** `a, "b ""c"` */
const identifiers = (list: string): string[] =>
  [...list.matchAll(/"((?:[^"]|"")*)"|[^,\s]+/g)].map(
    ([whole, quoted]) => quoted?.replaceAll('""', '"') ?? whole,
  )
