import type { Cell, NewCell, RowKey } from '#contract/database/rows/table-rows'
import { idOf, keyOf, stageEdit, type Staged } from './staged.ts'

/** What `tableRows.apply` answers: each change's row as it is now, in the order of `changesOf`. */
type Answer = { columns: readonly string[]; rows: readonly (readonly Cell[] | null)[] }

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Deletions come first, then the updates, then the insertions. */
function updatedRows(applied: Staged, rows: Answer['rows']) {
  const first = Object.keys(applied.deletes).length
  return new Map(Object.keys(applied.updates).map((id, at) => [id, rows[first + at]]))
}

/** A page of rows with what is saved by now, until it is read anew; new rows are not in it before. */
export function pageAfterApply<P extends { columns: string[]; rows: Cell[][] }>(
  page: P,
  applied: Staged,
  answer: Answer,
  primaryKey: readonly string[],
): P {
  if (page.columns.join('\n') !== answer.columns.join('\n')) return page
  const updated = updatedRows(applied, answer.rows)
  const rows = page.rows.flatMap((row) => {
    const key = keyOf(row, page.columns, primaryKey)
    const id = key && idOf(key)
    if (id === undefined) return [row]
    if (id in applied.deletes) return []
    const saved = updated.get(id)
    return [saved ? [...saved] : row]
  })
  return { ...page, rows }
}

/**
 * What is left to save when `applied` stands in the database: only what was typed while that was on its way. It is typed
 * over the rows as they were answered, under the keys that they have now; a new row is a row like others then.
 */
export function afterApply(
  now: Staged,
  applied: Staged,
  { columns, rows }: Answer,
  primaryKey: readonly string[],
): Staged {
  const found = (row: readonly Cell[] | null | undefined) => {
    const key = row ? keyOf(row, columns, primaryKey) : undefined
    return row && key ? { row, key } : undefined
  }
  const updated = new Map(
    [...updatedRows(applied, rows)].map(([id, row]) => [id, found(row)] as const),
  )
  const firstNew = rows.length - applied.inserts.length
  const inserted = new Map(
    applied.inserts.map(({ id }, at) => [id, found(rows[firstNew + at])] as const),
  )
  const typedOver = (
    at: { row: readonly Cell[]; key: RowKey } | undefined,
    cells: readonly (readonly [string, NewCell])[],
  ) =>
    cells.flatMap(([column, to]) =>
      at ? [{ key: at.key, column, from: at.row[columns.indexOf(column)] ?? null, to }] : [],
    )

  const cells = Object.entries(now.updates).flatMap(([id, { key, set }]) => {
    const done = applied.updates[id]?.set
    if (!done) return Object.entries(set).map(([column, cell]) => ({ key, column, ...cell }))
    const later = Object.entries(set).filter(([column, { to }]) => !same(done[column]?.to, to))
    return typedOver(
      updated.get(id),
      later.map(([column, { to }]) => [column, to]),
    )
  })
  const intoNew = now.inserts.flatMap(({ id, values }) => {
    const before = applied.inserts.find((insert) => insert.id === id)?.values
    const later = Object.entries(values).filter(([column, to]) => !same(before?.[column], to))
    return before ? typedOver(inserted.get(id), later) : []
  })
  const rest: Staged = {
    updates: {},
    deletes: Object.fromEntries(
      Object.entries(now.deletes).filter(([id]) => !(id in applied.deletes)),
    ),
    inserts: now.inserts.filter(({ id }) => !inserted.has(id)),
  }
  return [...cells, ...intoNew].reduce<Staged>(
    (left, cell) => (idOf(cell.key) in left.deletes ? left : stageEdit(left, cell)),
    rest,
  )
}
