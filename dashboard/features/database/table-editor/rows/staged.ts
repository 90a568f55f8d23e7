import type { Cell, NewCell, RowChange, RowKey } from '#contract/database/rows/table-rows'

/**
 * Changes that have been made on the screen and not in the database yet. Plain data: every function answers a new one,
 * so that undo is a matter of keeping the old ones.
 */
export type Staged = {
  updates: Readonly<Record<string, StagedUpdate>>
  deletes: Readonly<Record<string, StagedDelete>>
  /** In the order in which they were written, and are made. */
  inserts: readonly StagedInsert[]
}
export type StagedCell = {
  from: Cell
  to: NewCell
  /** What the row held when the change was refused; undefined while nobody disagrees. */
  theirs?: Cell | undefined
}
export type StagedUpdate = {
  key: RowKey
  set: Readonly<Record<string, StagedCell>>
  /** The row was deleted by somebody else. */
  gone?: boolean
}
export type StagedDelete = { key: RowKey }
export type StagedInsert = {
  id: string
  values: Readonly<Record<string, NewCell>>
  /** Stands below the rows, where it was pasted; the others stand above them, the newest first. */
  below?: boolean
}

export const nothing: Staged = { updates: {}, deletes: {}, inserts: [] }

/** Undefined when the row cannot be told apart from others, which needs every part of the key. */
export function keyOf(
  row: readonly Cell[],
  columns: readonly string[],
  primaryKey: readonly string[],
): RowKey | undefined {
  if (primaryKey.length === 0) return undefined
  const parts = primaryKey.map((name) => [name, row[columns.indexOf(name)]] as const)
  if (!parts.every((part): part is readonly [string, string] => typeof part[1] === 'string'))
    return undefined
  return Object.fromEntries(parts)
}
export const keyText = (key: RowKey) => Object.values(key).join(', ')
export const idOf = (key: RowKey) => JSON.stringify(key)

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function without<T>(record: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name))
}

/** Typing the old value again takes the change back. */
export function stageEdit(
  staged: Staged,
  { key, column, from, to }: { key: RowKey; column: string; from: Cell; to: NewCell },
): Staged {
  const id = idOf(key)
  const update = staged.updates[id] ?? { key, set: {} }
  const original = update.set[column]?.from ?? from
  if (same(to, original)) return undoCell(staged, id, column)
  const set = { ...update.set, [column]: { from: original, to } }
  return { ...staged, updates: { ...staged.updates, [id]: { ...update, set } } }
}

export function undoCell(staged: Staged, id: string, column: string): Staged {
  const update = staged.updates[id]
  if (!update) return staged
  const set = without(update.set, column)
  const empty = Object.keys(set).length === 0
  const updates = empty
    ? without(staged.updates, id)
    : { ...staged.updates, [id]: { ...update, set } }
  return { ...staged, updates }
}

/** What was typed into a row that is to be deleted is forgotten. */
export function stageDelete(staged: Staged, keys: readonly RowKey[]): Staged {
  return keys.reduce<Staged>((now, key) => {
    const id = idOf(key)
    return { ...now, updates: without(now.updates, id), deletes: { ...now.deletes, [id]: { key } } }
  }, staged)
}
export const undoDelete = (staged: Staged, id: string): Staged => ({
  ...staged,
  deletes: without(staged.deletes, id),
})

export const stageInsert = (staged: Staged, insert: StagedInsert): Staged => ({
  ...staged,
  inserts: [...staged.inserts, insert],
})
export const editInsert = (
  staged: Staged,
  id: string,
  values: Record<string, NewCell>,
): Staged => ({
  ...staged,
  inserts: staged.inserts.map((insert) =>
    insert.id === id ? { ...insert, values: { ...insert.values, ...values } } : insert,
  ),
})
export const undoInsert = (staged: Staged, id: string): Staged => ({
  ...staged,
  inserts: staged.inserts.filter((insert) => insert.id !== id),
})

/** Columns that something was typed for and that the table does not have any more. */
export function lostColumns(staged: Staged, columns: readonly { name: string }[]): string[] {
  const known = new Set(columns.map(({ name }) => name))
  const typed = [
    ...Object.values(staged.updates).flatMap(({ set }) => Object.keys(set)),
    ...staged.inserts.flatMap(({ values }) => Object.keys(values)),
  ]
  return [...new Set(typed)].filter((name) => !known.has(name))
}

export function dropColumn(staged: Staged, name: string): Staged {
  const updated = Object.keys(staged.updates).reduce((now, id) => undoCell(now, id, name), staged)
  const inserts = updated.inserts.map((insert) => ({
    ...insert,
    values: without(insert.values, name),
  }))
  return { ...updated, inserts }
}

export const isConflict = (update: StagedUpdate) =>
  update.gone === true || Object.values(update.set).some((cell) => 'theirs' in cell)

/** Rows that will be updated, inserted, deleted, and those of the updates that somebody else changed meanwhile. */
export function countOf(staged: Staged) {
  const updates = Object.values(staged.updates)
  const conflicts = updates.filter(isConflict).length
  const counts = {
    updates: updates.length - conflicts,
    inserts: staged.inserts.length,
    deletes: Object.keys(staged.deletes).length,
    conflicts,
    /** Cells that get another value in rows that are there. */
    cells: updates.reduce((sum, { set }) => sum + Object.keys(set).length, 0),
  }
  return { ...counts, all: updates.length + counts.inserts + counts.deletes }
}

/** What is staged, in words: cells by their number, since a row may have many. */
export function summaryOf(staged: Staged): string {
  const { cells, inserts, deletes, updates, conflicts } = countOf(staged)
  const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`
  return [
    cells > 0 && `${counted(cells, 'cell')} changed in ${counted(updates + conflicts, 'row')}`,
    inserts > 0 && counted(inserts, 'new row'),
    deletes > 0 && `${counted(deletes, 'row')} to delete`,
  ]
    .filter(Boolean)
    .join(', ')
}

/** Deletions first, so that a new row may take the place of a deleted one. */
export function changesOf(staged: Staged): RowChange[] {
  return [
    ...Object.values(staged.deletes).map(({ key }) => ({ kind: 'delete' as const, key })),
    ...Object.values(staged.updates).map(({ key, set }) => ({
      kind: 'update' as const,
      key,
      set: Object.fromEntries(
        Object.entries(set).map(([name, { from, to }]) => [name, { from, to }]),
      ),
    })),
    ...staged.inserts.map(({ values }) => ({ kind: 'insert' as const, values })),
  ]
}

/** Marks the cells of a row that no longer hold what their editor saw. `row` is undefined when it is gone. */
export function markConflicts(
  staged: Staged,
  id: string,
  row: Readonly<Record<string, Cell>> | undefined,
): Staged {
  const update = staged.updates[id]
  if (!update) return staged
  if (!row) return { ...staged, updates: { ...staged.updates, [id]: { ...update, gone: true } } }
  const set = Object.fromEntries(
    Object.entries(update.set).map(([name, { from, to }]) => {
      const theirs = row[name] ?? null
      return [name, same(theirs, from) ? { from, to } : { from, to, theirs }]
    }),
  )
  return { ...staged, updates: { ...staged.updates, [id]: { key: update.key, set } } }
}

/** Mine: the change is made on top of theirs. */
export function keepMine(staged: Staged, id: string, column: string): Staged {
  const update = staged.updates[id]
  const cell = update?.set[column]
  if (!update || !cell || !('theirs' in cell)) return staged
  const set = { ...update.set, [column]: { from: cell.theirs ?? null, to: cell.to } }
  return { ...staged, updates: { ...staged.updates, [id]: { ...update, set } } }
}

/** What is staged for a table, what it was before, and what was undone. */
export type History = { past: Staged[]; now: Staged; future: Staged[] }
export const fresh: History = { past: [], now: nothing, future: [] }

/** Steps of undo that are kept for one table. */
const maxSteps = 100

/** A new change ends what could be made again. */
export function changed({ past, now }: History, next: (now: Staged) => Staged): History {
  return { past: [...past.slice(1 - maxSteps), now], now: next(now), future: [] }
}

export function undone({ past, now, future }: History): History {
  const before = past.at(-1)
  if (!before) return { past, now, future }
  return { past: past.slice(0, -1), now: before, future: [now, ...future] }
}

export function redone({ past, now, future: [after, ...future] }: History): History {
  return after ? { past: [...past, now], now: after, future } : { past, now, future }
}
