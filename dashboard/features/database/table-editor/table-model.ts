import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { Cell, RowKey, RowRefusal } from '#contract/database/rows/table-rows'
import type { CallError } from '../../../api/client.ts'
import type { CellAt, CellEdit, CellView, RowState } from '../../../ui/grid/grid-types.ts'
import { cellView, isFilledIn, newCellView, typedCell } from './grid/grid-columns.ts'
import {
  editInsert,
  idOf,
  isConflict,
  keyOf,
  keyText,
  stageEdit,
  stageInsert,
  type Staged,
  type StagedInsert,
} from './rows/staged.ts'

const asDefault = { default: true } as const

export type TableModel = ReturnType<typeof tableModel>

/**
 * What the grid shows: new rows, the page of rows with what was changed in them, and below it the new rows that were
 * pasted there.
 */
export function tableModel(
  entity: EntityDetail,
  rows: readonly (readonly Cell[])[],
  staged: Staged,
  refusal?: Refusal,
) {
  const { columns, primary_key: primaryKey } = entity
  const names = columns.map(({ name }) => name)
  const above = staged.inserts.filter(({ below }) => !below).toReversed()
  const below = staged.inserts.filter((insert) => insert.below)
  const added = above.length
  const rowCount = added + rows.length + below.length
  const known = rows.map((row) => {
    const key = keyOf(row, names, primaryKey)
    return { row, key, id: key && idOf(key) }
  })

  const insertAt = (row: number): StagedInsert | undefined =>
    above[row] ?? below[row - added - rows.length]
  /** Rows that are not in the database yet; those beyond the last one would be made. */
  const isNew = (row: number) => row < added || row >= added + rows.length
  const keyAt = (row: number): RowKey | undefined => known[row - added]?.key

  const isRefused = (id: string | undefined, name: string) =>
    refusal !== undefined && refusal.id === id && refusal.columns.includes(name)

  function cellAt(row: number, at: number): CellView {
    const column = columns[at]
    if (!column) return { text: null }
    const insert = insertAt(row)
    if (insert) {
      const view = newCellView(column, insert.values[column.name])
      return isRefused(insert.id, column.name) ? { ...view, state: 'refused' } : view
    }
    const found = known[row - added]
    const update = found?.id === undefined ? undefined : staged.updates[found.id]
    const change = update?.set[column.name]
    if (!change) return cellView(column, found?.row[at] ?? null)
    const conflict = 'theirs' in change || update?.gone
    const refused = isRefused(found?.id, column.name)
    const state = conflict ? 'conflict' : refused ? 'refused' : 'changed'
    return { ...newCellView(column, change.to), state }
  }

  function rowStateAt(row: number): RowState | undefined {
    const insert = insertAt(row)
    if (insert) return refusal?.id === insert.id ? 'refused' : 'new'
    const id = known[row - added]?.id
    if (id === undefined) return undefined
    if (id in staged.deletes) return 'deleted'
    const update = staged.updates[id]
    if (!update) return undefined
    return isConflict(update) ? 'conflict' : refusal?.id === id ? 'refused' : 'changed'
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
      const begun = [...beyond]
        .toSorted(([a], [b]) => a - b)
        .reduce((next, [, id]) => stageInsert(next, { id, values: {}, below: true }), now)
      return edits.flatMap(withOthers).reduce((next, { row, column: at, text }) => {
        const column = columns[at]
        if (!column) return next
        const to = typedCell(column, text)
        const insert = insertAt(row)?.id ?? beyond.get(row)
        if (insert !== undefined) {
          const value = to === null && isFilledIn(column) ? asDefault : to
          return editInsert(next, insert, { [column.name]: value })
        }
        const found = known[row - added]
        if (!found?.key) return next
        const from = found.row[at] ?? null
        return stageEdit(next, { key: found.key, column: column.name, from, to })
      }, begun)
    }
  }

  /** Why a row stays as it is, whatever else may be edited. */
  function fixedBecause(row: number): string | undefined {
    if (isNew(row) || keyAt(row)) return undefined
    return entity.fixed_rows_because ?? 'The key of this row is too long to find it by.'
  }

  /** What a row is called in a message: by its key, or as which of the new ones it is. */
  function nameOf(row: number): string {
    const insert = insertAt(row)
    if (insert) return `New row ${staged.inserts.indexOf(insert) + 1}`
    const key = keyAt(row)
    return key ? `Row ${keyText(key)}` : `New row ${staged.inserts.length + row - rowCount + 1}`
  }

  /** Where a refused change is shown; undefined when it is not on this page. */
  function placeOf({ id, columns: named }: Refusal): CellAt | undefined {
    const at = (row: number) => insertAt(row)?.id ?? known[row - added]?.id
    const row = Array.from({ length: rowCount }, (_, index) => index).find((one) => at(one) === id)
    const column = Math.max(0, names.indexOf(named[0] ?? ''))
    return row === undefined ? undefined : { row, column }
  }

  return {
    rowCount,
    placeOf,
    isNew,
    nameOf,
    fixedBecause,
    added,
    cellAt,
    rowStateAt,
    keyAt,
    insertAt,
    edited,
    rowAt: (row: number) => known[row - added]?.row,
  }
}

/** The staged change that a save was refused for, and which of its cells. */
export type Refusal = {
  kind: 'delete' | 'update' | 'insert'
  /** By which it is staged. */
  id: string
  /** What its row is called. */
  name: string
  columns: readonly string[]
  /** As it was sent. */
  sent: unknown
}

/** In the order of `changesOf`. */
function sentOf({ deletes, updates, inserts }: Staged): Omit<Refusal, 'columns'>[] {
  const rowName = (key: Readonly<Record<string, string>>) => `Row ${keyText(key)}`
  return [
    ...Object.entries(deletes).map(([id, sent]) => ({
      kind: 'delete' as const,
      id,
      name: rowName(sent.key),
      sent,
    })),
    ...Object.entries(updates).map(([id, sent]) => ({
      kind: 'update' as const,
      id,
      name: rowName(sent.key),
      sent,
    })),
    ...inserts.map((sent, at) => ({
      kind: 'insert' as const,
      id: sent.id,
      name: `New row ${at + 1}`,
      sent,
    })),
  ]
}

/** What the server says of the change that it refused. */
export function refusedBy({ answer }: Pick<CallError, 'answer'>): RowRefusal {
  const { change, columns, detail, hint } = answer
  return {
    ...(typeof change === 'number' ? { change } : {}),
    ...(Array.isArray(columns)
      ? { columns: columns.filter((name): name is string => typeof name === 'string') }
      : {}),
    ...(typeof detail === 'string' ? { detail } : {}),
    ...(typeof hint === 'string' ? { hint } : {}),
  }
}

export function refusalOf(error: Pick<CallError, 'answer'>, staged: Staged): Refusal | undefined {
  const { change, columns = [] } = refusedBy(error)
  const one = change === undefined ? undefined : sentOf(staged)[change]
  return one && { ...one, columns }
}

/** Whether the change is still staged as it was refused. */
export function stands({ kind, id, sent }: Refusal, now: Staged): boolean {
  switch (kind) {
    case 'delete':
      return now.deletes[id] === sent
    case 'update':
      return now.updates[id] === sent
    case 'insert':
      return now.inserts.includes(sent as Staged['inserts'][number])
  }
}
