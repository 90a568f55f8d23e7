import { ListFilter, Rows3 } from 'lucide-react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { TableLayout } from '#contract/database/table-views'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import type { CellAt, SelectionView } from '../../../ui/grid/grid-types.ts'
import { GridSkeleton } from '../../../ui/grid/GridSkeleton.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import type { Overlay } from './overlay.ts'
import { RowCards } from './grid/RowCards.tsx'
import type { View } from './search.ts'
import { tableProblem } from './table-problem.ts'
import type { StagedOfTable } from './rows/staged-context.ts'
import { TableGrid } from './grid/TableGrid.tsx'
import type { useTableRows } from './use-table-rows.ts'

type Props = ReturnType<typeof useTableRows> & {
  projectRef: string
  entity: EntityDetail
  table: StagedOfTable
  readOnly: string | undefined
  readOnlySchema: string | undefined
  view: View
  onView: (next: Partial<View>) => void
  layout: TableLayout
  shown: readonly number[]
  onLayout: (layout: TableLayout) => void
  narrow: boolean
  onOpen: (overlay: Overlay) => void
  onSelect: (selection: SelectionView) => void
  onInsert: () => void
  reveal: CellAt | undefined
  onReveal: (cell: CellAt | undefined) => void
}

/** The rows as a grid, or as cards on a phone; or why there are none to show. */
export function TableRows({ page, loaded, narrow, onOpen, onInsert, ...props }: Props) {
  const { entity, model, view, readOnly, onView } = props
  if (page.error && !page.data)
    return <ErrorNote what="rows" error={page.error} onRetry={() => void page.refetch()} />
  if (!loaded) return <GridSkeleton />
  if (model.rowCount === 0)
    return (
      <NoRows
        filtered={view.filters.length > 0}
        readOnly={readOnly}
        onClear={() => onView({ filters: [] })}
        onInsert={onInsert}
        onImport={() => onOpen({ kind: 'import' })}
      />
    )
  if (narrow) return <RowCards {...props} onOpen={(row) => onOpen({ kind: 'row', row })} />
  return (
    <>
      {page.error && (
        <StaleNote what={tableProblem(page.error, entity)} onRetry={() => void page.refetch()} />
      )}
      <TableGrid
        {...props}
        onHeadMenu={(column, place) => onOpen({ kind: 'head-menu', column, place })}
        onCellMenu={(cell, place) => onOpen({ kind: 'cell-menu', cell, place })}
        onExpand={(cell) => onOpen({ kind: 'cell', cell })}
        onAddColumn={() => onOpen({ kind: 'column', name: undefined })}
        onPeek={(cell) => onOpen({ kind: 'peek', cell })}
      />
    </>
  )
}

/** Rows that were read once stay, with what was typed into them, when they cannot be read any more. */
function StaleNote({ what, onRetry }: { what: string; onRetry: () => void }) {
  return (
    <p className="rows-stale row" role="alert">
      <span>These rows are from an earlier read. {what}</span>
      <button type="button" className="link" onClick={onRetry}>
        Try again
      </button>
    </p>
  )
}

type NoRowsProps = {
  filtered: boolean
  readOnly: string | undefined
  onClear: () => void
  onInsert: () => void
  onImport: () => void
}

function NoRows({ filtered, readOnly, onClear, onInsert, onImport }: NoRowsProps) {
  return (
    <div className="grow">
      {filtered ? (
        <EmptyState
          icon={ListFilter}
          title="No row matches"
          action={<Button onClick={onClear}>Remove the filters</Button>}
        >
          The table has rows, but none match all of these filters.
        </EmptyState>
      ) : (
        <EmptyState
          icon={Rows3}
          title="No rows yet"
          action={
            <span className="row">
              <Button variant="primary" disabledReason={readOnly} onClick={onInsert}>
                Insert row
              </Button>
              <Button disabledReason={readOnly} onClick={onImport}>
                Import a file
              </Button>
            </span>
          }
        >
          Rows that you insert here, with SQL or through the API appear here.
        </EmptyState>
      )}
    </div>
  )
}
