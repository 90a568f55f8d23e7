import { useMemo, useState } from 'react'
import type { EntityDetail } from '#contract/pg-meta-shapes'
import { tableRows } from '#contract/table-rows'
import { callDatabase } from '../../session/database.ts'
import { DataGrid } from '../../ui/grid/DataGrid.tsx'
import type { SelectionView } from '../../ui/grid/grid-types.ts'
import { gridColumns } from './grid-columns.ts'
import { nextSort, type View } from './search.ts'
import type { StagedOfTable } from './staged-context.ts'
import type { TableModel } from './table-model.ts'

type Props = {
  projectRef: string
  entity: EntityDetail
  table: StagedOfTable
  model: TableModel
  readOnly: string | undefined
  view: View
  onView: (next: Partial<View>) => void
  /** Changes when other rows are shown. */
  places: unknown
  onSelect: (selection: SelectionView) => void
}

/** The rows in a grid: what is typed into it is staged. */
export function TableGrid(props: Props) {
  const { projectRef, entity, table, model, readOnly, view, onView, places, onSelect } = props
  const [resized, setResized] = useState<Record<string, number>>({})
  const columns = useMemo(
    () => gridColumns(entity, view.sort, resized),
    [entity, view.sort, resized],
  )
  const nameOf = (at: number) => entity.columns[at]?.name

  async function loadWhole(row: number, at: number) {
    const key = model.keyAt(row)
    const column = nameOf(at)
    if (!key || column === undefined) throw new Error('This row has no key to find it by')
    const input = { ref: projectRef, id: entity.id, key, column }
    return (await callDatabase(tableRows.value, input)).value
  }
  function sortBy(at: number) {
    const column = nameOf(at)
    if (column !== undefined) onView({ sort: nextSort(view.sort, column) })
  }
  function resize(at: number, width: number) {
    const column = nameOf(at)
    if (column !== undefined) setResized((all) => ({ ...all, [column]: width }))
  }

  const editable = readOnly === undefined
  return (
    <DataGrid
      label={`Rows of ${entity.name}`}
      columns={columns}
      rowCount={model.rowCount}
      cellAt={model.cellAt}
      rowStateAt={model.rowStateAt}
      firstNumber={(view.page - 1) * view.limit + 1 - model.added}
      selectRows={editable}
      selectionKey={places}
      onSelect={onSelect}
      onEdit={editable ? (edits) => table.change(model.edited(edits)) : undefined}
      loadWhole={loadWhole}
      onSort={sortBy}
      onResize={resize}
    />
  )
}
