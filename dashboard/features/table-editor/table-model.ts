import type { EntityDetail } from '#contract/pg-meta-shapes'
import type { Cell, RowKey } from '#contract/table-rows'
import type { CellEdit, CellView, RowState } from '../../ui/grid/grid-types.ts'
import { cellView, newCellView, typedCell } from './grid-columns.ts'
import {
  editInsert,
  idOf,
  isConflict,
  keyOf,
  stageEdit,
  stageInsert,
  type Staged,
  type StagedInsert,
} from './staged.ts'

export type TableModel = ReturnType<typeof tableModel>

/** What the grid shows: rows to be inserted first, then the page of rows with what was changed in them. */
export function tableModel(
  entity: EntityDetail,
  rows: readonly (readonly Cell[])[],
  staged: Staged,
) {
  const { columns, primary_key: primaryKey } = entity
  const names = columns.map(({ name }) => name)
  const added = staged.inserts.length
  const rowCount = added + rows.length
  const known = rows.map((row) => {
    const key = keyOf(row, names, primaryKey)
    return { row, key, id: key && idOf(key) }
  })

  const insertAt = (row: number): StagedInsert | undefined => staged.inserts[row]
  const keyAt = (row: number): RowKey | undefined => known[row - added]?.key

  function cellAt(row: number, at: number): CellView {
    const column = columns[at]
    if (!column) return { text: null }
    const insert = insertAt(row)
    if (insert) return newCellView(column, insert.values[column.name])
    const found = known[row - added]
    const update = found?.id === undefined ? undefined : staged.updates[found.id]
    const change = update?.set[column.name]
    if (!change) return cellView(column, found?.row[at] ?? null)
    const state = 'theirs' in change || update?.gone ? 'conflict' : 'changed'
    return { ...newCellView(column, change.to), state }
  }

  function rowStateAt(row: number): RowState | undefined {
    if (row < added) return 'new'
    const id = known[row - added]?.id
    if (id === undefined) return undefined
    if (id in staged.deletes) return 'deleted'
    const update = staged.updates[id]
    return update && (isConflict(update) ? 'conflict' : 'changed')
  }

  /** Of a key of several columns, an edit of each. */
  const withOthers = (edit: CellEdit): CellEdit[] => [
    edit,
    ...Object.entries(edit.others ?? {}).map(([name, text]) => ({
      row: edit.row,
      column: columns.findIndex((column) => column.name === name),
      text,
    })),
  ]
  /** The edits of one action, on top of what is staged by then. Rows beyond the last one are new ones. */
  const edited = (edits: readonly CellEdit[]) => {
    const beyond = new Map<number, string>()
    for (const { row } of edits) if (row >= rowCount) beyond.set(row, crypto.randomUUID())
    return (now: Staged): Staged => {
      // Later rows are shown further down, and the newest row stands first.
      const begun = [...beyond]
        .toSorted(([a], [b]) => b - a)
        .reduce((next, [, id]) => stageInsert(next, { id, values: {} }), now)
      return edits.flatMap(withOthers).reduce((next, { row, column: at, text }) => {
        const column = columns[at]
        if (!column) return next
        const to = typedCell(column, text)
        const insert = insertAt(row)?.id ?? beyond.get(row)
        if (insert !== undefined) return editInsert(next, insert, { [column.name]: to })
        const found = known[row - added]
        if (!found?.key) return next
        const from = found.row[at] ?? null
        return stageEdit(next, { key: found.key, column: column.name, from, to })
      }, begun)
    }
  }

  return {
    rowCount,
    added,
    cellAt,
    rowStateAt,
    keyAt,
    insertAt,
    edited,
    rowAt: (row: number) => known[row - added]?.row,
  }
}
