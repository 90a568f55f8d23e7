import { quoteIdent } from '#contract/ddl/sql-text'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { Cell, RowChange, RowKey } from '#contract/database/rows/table-rows'
import { cellsSql, keySql, parameters, tableSql, toCells } from './row-sql.ts'
import { asText, type TextQueryable } from './text-rows.ts'

/** Characters of an inverse that are worth keeping; changing more than this cannot be taken back by one click. */
const largestInverse = 800_000

/** The select list of whole values, as text: nothing is cut. */
export const wholes = (names: readonly string[]) =>
  names.map((name) => `${quoteIdent(name)}::text`).join(', ')

/** What a change answers: the row as lists show it, and behind it the whole key by which to find it again. */
export const returned = (entity: EntityDetail) =>
  [cellsSql(entity), wholes(entity.primary_key)].filter(Boolean).join(', ')

export function splitReturned(entity: EntityDetail, found: readonly (string | null)[]) {
  const row = toCells(found.slice(0, entity.columns.length))
  const key: RowKey = Object.fromEntries(
    entity.primary_key.map((name, at) => [name, found[entity.columns.length + at] ?? '']),
  )
  const fields: Record<string, Cell> = Object.fromEntries(
    entity.columns.map(({ name }, at) => [name, row[at] ?? null]),
  )
  return { row, key, fields }
}

/** What the row holds before it is changed; it is locked until then. */
export async function wholeValues(
  db: TextQueryable,
  entity: EntityDetail,
  key: RowKey,
  names: readonly string[],
): Promise<(string | null)[] | undefined> {
  const { values, param } = parameters()
  const sql = `select ${wholes(names)} from ${tableSql(entity)} where ${keySql(entity, key, param)} for update`
  const [row] = await asText(db, sql, values)
  return row
}

/** Backwards, so that each step finds the rows as its own change left them. */
export function inverseOf(
  done: readonly { inverse: RowChange | 'none' | null }[],
): RowChange[] | null {
  if (done.some((one) => one.inverse === 'none')) return null
  const inverse = done
    .flatMap((one) => (one.inverse && one.inverse !== 'none' ? [one.inverse] : []))
    .toReversed()
  return JSON.stringify(inverse).length > largestInverse ? null : inverse
}
