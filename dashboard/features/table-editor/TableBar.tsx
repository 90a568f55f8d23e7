import { ListFilter, RefreshCw, Trash2, Undo2 } from 'lucide-react'
import type { EntityDetail } from '#contract/pg-meta-shapes'
import { Button } from '../../ui/Button.tsx'
import type { SelectionView } from '../../ui/grid/grid-types.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { AddFilter } from './AddFilter.tsx'
import { FilterChip } from './FilterChip.tsx'
import type { View } from './search.ts'
import { SortButton } from './SortButton.tsx'
import { idOf, stageDelete, undoDelete, undoInsert, type Staged } from './staged.ts'
import type { StagedOfTable } from './staged-context.ts'
import type { TableModel } from './table-model.ts'

type Props = {
  entity: EntityDetail
  model: TableModel
  table: StagedOfTable
  readOnly: string | undefined
  view: View
  onView: (next: Partial<View>) => void
  selection: SelectionView
  onRefresh: () => void
  refreshing: boolean
}

/** Filters, order and refresh; while rows are ticked, what can be done with those. */
export function TableBar(props: Props) {
  const { entity, view, onView, selection, onRefresh, refreshing } = props
  if (selection.rows.length > 0) return <SelectionBar {...props} />
  return (
    <div className="bar table-bar">
      <Icon of={ListFilter} size="s" className="faint" />
      <div className="chips">
        {view.filters.map((filter, at) => (
          <FilterChip
            key={`${filter.column} ${filter.operator} ${filter.value}`}
            filter={filter}
            onRemove={() => onView({ filters: view.filters.filter((_, i) => i !== at) })}
          />
        ))}
        <AddFilter
          columns={entity.columns}
          onAdd={(filter) => onView({ filters: [...view.filters, filter] })}
        />
      </div>
      <span className="grow" />
      <SortButton columns={entity.columns} sort={view.sort} onSort={(sort) => onView({ sort })} />
      <IconButton
        icon={RefreshCw}
        iconSize="s"
        label="Refresh"
        busy={refreshing}
        onClick={onRefresh}
      />
    </div>
  )
}

function SelectionBar({ selection, model, table, readOnly }: Props) {
  const { rows } = selection
  const deleted = rows.filter((row) => model.rowStateAt(row) === 'deleted')
  const count = rows.length === 1 ? '1 row' : `${rows.length} rows`
  return (
    <div className="bar table-bar" role="toolbar" aria-label="Ticked rows">
      <span className="med">{count} ticked</span>
      {deleted.length < rows.length && (
        <Button
          icon={Trash2}
          variant="danger-quiet"
          disabledReason={readOnly}
          onClick={() => table.change(deletion(model, rows))}
        >
          Delete {count}
        </Button>
      )}
      {deleted.length > 0 && (
        <Button icon={Undo2} onClick={() => table.change(restoration(model, deleted))}>
          Keep {deleted.length === 1 ? '1 row' : `${deleted.length} rows`}
        </Button>
      )}
      <span className="muted">Nothing is deleted before you apply.</span>
    </div>
  )
}

/** Rows that do not exist yet are simply dropped. */
const deletion =
  (model: TableModel, rows: readonly number[]) =>
  (now: Staged): Staged => {
    const inserts = rows.flatMap((row) => listOf(model.insertAt(row)?.id))
    const keys = rows.flatMap((row) => listOf(model.keyAt(row)))
    return inserts.reduce(undoInsert, stageDelete(now, keys))
  }

const restoration =
  (model: TableModel, rows: readonly number[]) =>
  (now: Staged): Staged =>
    rows
      .flatMap((row) => listOf(model.keyAt(row)))
      .map(idOf)
      .reduce(undoDelete, now)

const listOf = <T,>(value: T | undefined): T[] => (value === undefined ? [] : [value])
