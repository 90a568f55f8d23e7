import { useMemo } from 'react'
import type { Column, EntityDetail } from '#contract/database/pg-meta-shapes'
import { rowLookup } from '#contract/database/rows/row-lookup'
import { tableRows } from '#contract/database/rows/table-rows'
import type { TableLayout } from '#contract/database/table-views'
import { pgMeta } from '#contract/database/pg-meta'
import { callDatabase } from '../../../../session/project/database.ts'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { useProject } from '../../../../session/project/project.ts'
import { takeDeletion, takeEdits, takeEmptied } from '../rows/edits.ts'
import { DataGrid } from '../../../../ui/grid/DataGrid.tsx'
import type { CellAt, Lookup, Place, SelectionView } from '../../../../ui/grid/grid-types.ts'
import { toast } from '../../../../ui/floats/toast.ts'
import { gridColumns, lockedBecause } from './grid-columns.ts'
import { frozenInGrid, moved, resized } from './layout.ts'
import { nextSort, type View } from '../search.ts'
import type { StagedOfTable } from '../rows/staged-context.ts'
import type { TableModel } from '../table-model.ts'

/** A place in the table itself, however its columns are arranged. */
export type CellPlace = { row: number; column: number }

type Props = {
  projectRef: string
  entity: EntityDetail
  table: StagedOfTable
  model: TableModel
  readOnly: string | undefined
  view: View
  onView: (next: Partial<View>) => void
  layout: TableLayout
  /** Places of the columns that are shown. */
  shown: readonly number[]
  onLayout: (layout: TableLayout) => void
  /** Changes when other rows are shown. */
  places: unknown
  /** A cell of the table to be scrolled to. */
  reveal: CellAt | undefined
  onReveal: (cell: CellAt | undefined) => void
  onSelect: (selection: SelectionView) => void
  onHeadMenu: (column: number, place: Place) => void
  onCellMenu: (cell: CellPlace, place: Place) => void
  onExpand: (cell: CellPlace) => void
  onPeek: (cell: CellPlace) => void
  /** Why the table itself is left as it is. */
  readOnlySchema: string | undefined
  onAddColumn: () => void
}

/** The rows in a grid: what is typed into it is staged. */
export function TableGrid(props: Props) {
  const { projectRef, entity, table, model, readOnly, view, layout, shown, onLayout } = props
  const why = useDenials(useProject(projectRef))
  const { sort } = view
  const { widths } = layout
  const lookupOf = useMemo(() => lookups(projectRef, entity), [projectRef, entity])
  const columns = useMemo(
    () => gridColumns(entity, shown, { sort, widths, lookupOf }),
    [entity, shown, sort, widths, lookupOf],
  )
  const cellAt = useMemo(
    () => (row: number, at: number) => model.cellAt(row, shown[at] ?? -1),
    [model, shown],
  )
  const nameOf = (at: number) => entity.columns[shown[at] ?? -1]?.name
  const reveal = useMemo(() => {
    const { row, column } = props.reveal ?? {}
    if (row === undefined || column === undefined) return undefined
    return { row, column: Math.max(0, shown.indexOf(column)) }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- columns that move are no reason to scroll
  }, [props.reveal])
  const inTable = <C extends CellAt>(cells: readonly C[]) =>
    cells.map((cell) => ({ ...cell, column: shown[cell.column] ?? -1 }))
  const placeOf = (row: number, at: number): CellPlace => ({ row, column: shown[at] ?? -1 })

  async function loadWhole(row: number, at: number) {
    const key = model.keyAt(row)
    const column = nameOf(at)
    if (!key || column === undefined) throw new Error('This row has no key to find it by')
    const input = { ref: projectRef, id: entity.id, key, column }
    return (await callDatabase(tableRows.value, input)).value
  }
  function resize(at: number, width: number) {
    const column = nameOf(at)
    if (column !== undefined) onLayout(resized(layout, column, width))
  }
  function notifyLocked({ row, column: at }: CellAt) {
    const fixed = model.fixedBecause(row)
    if (fixed !== undefined) return void toast.info(fixed, { id: 'locked' })
    const column = entity.columns[shown[at] ?? -1]
    const reason = column && lockedBecause(column)
    if (reason !== undefined) toast.info(`${reason} and cannot be edited`, { id: 'locked' })
    return undefined
  }

  const isTable = entity.kind === 'table' || entity.kind === 'partitioned_table'
  const editable = readOnly === undefined
  return (
    <DataGrid
      label={`Rows of ${entity.name}`}
      columns={columns}
      rowCount={model.rowCount}
      cellAt={cellAt}
      rowStateAt={model.rowStateAt}
      rowLockedAt={model.fixedBecause}
      firstNumber={(view.page - 1) * view.limit + 1 - model.added}
      selectRows
      selectionKey={props.places}
      onSelect={props.onSelect}
      onEdit={
        editable
          ? (edits, how) => props.onReveal(takeEdits({ entity, model, table }, inTable(edits), how))
          : undefined
      }
      onEmpty={
        editable ? (cells) => takeEmptied({ entity, model, table }, inTable(cells)) : undefined
      }
      reveal={reveal}
      loadWhole={loadWhole}
      onSort={(at, also) => {
        const column = nameOf(at)
        if (column !== undefined) props.onView({ sort: nextSort(sort, column, also) })
      }}
      onResize={resize}
      onMove={(from, to) => onLayout(moved(entity.columns, layout, entity.primary_key, [from, to]))}
      frozen={frozenInGrid(layout, columns, entity.primary_key)}
      onHeadMenu={(at, place) => props.onHeadMenu(shown[at] ?? -1, place)}
      onCellMenu={(row, at, place) => props.onCellMenu(placeOf(row, at), place)}
      onDeleteRows={editable ? (rows) => takeDeletion({ model, table }, rows) : undefined}
      addColumn={
        isTable
          ? {
              deniedBecause: props.readOnlySchema ?? why(pgMeta.createColumn),
              onAdd: props.onAddColumn,
            }
          : undefined
      }
      onLocked={notifyLocked}
      onExpand={(row, at) => props.onExpand(placeOf(row, at))}
      onPeek={(row, at) => props.onPeek(placeOf(row, at))}
      onProblem={(message) => toast.warning(message)}
    />
  )
}

/** Finds rows of the table that a column refers to, by its own value or by the words of the row. */
export function lookups(ref: string, entity: EntityDetail) {
  const known = new Map(entity.columns.map((column) => [column.id, lookupOf(ref, entity, column)]))
  return ({ id }: Pick<Column, 'id'>): Lookup | undefined => known.get(id)
}

function lookupOf(ref: string, entity: EntityDetail, column: Column): Lookup | undefined {
  const link = entity.foreign_keys.find((key) => key.columns.includes(column.name))
  const target = link?.target_columns[link.columns.indexOf(column.name)]
  if (!link || target === undefined) return undefined
  // Half a key leads to no row: what is chosen sets all columns of it.
  const rest = link.columns.flatMap((own, at) => {
    const other = link.target_columns[at]
    return own === column.name || other === undefined ? [] : [{ own, other }]
  })
  return async (search, from, signal) => {
    const after = from === undefined ? {} : { after: from }
    const input = {
      ref,
      id: link.target_id,
      column: target,
      also: rest.map(({ other }) => other),
      search,
      ...after,
    }
    const page = await callDatabase(rowLookup.find, input, signal)
    return {
      found: page.rows.map(({ value, also, words }) => ({
        value,
        others: Object.fromEntries(rest.map(({ own }, at) => [own, also[at] ?? ''])),
        detail: words.filter((word) => word !== null && word !== '').join(' · '),
      })),
      next: page.next ?? undefined,
      note:
        page.only_beginnings && search !== ''
          ? `${link.target_table} is large: only the start of its key and of indexed texts was searched.`
          : undefined,
    }
  }
}
