import { ListFilter, Rows3 } from 'lucide-react'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { TableLayout } from '#contract/database/table-views'
import { Callout } from '../../../ui/Callout.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import type { CellAt, SelectionView } from '../../../ui/grid/grid-types.ts'
import { GridSkeleton } from '../../../ui/grid/DataGrid.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { cx } from '../../../ui/cx.ts'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import type { Overlay } from './overlay.ts'
import type { TableModel } from './table-model.ts'
import { ValueText } from './values/ValueText.tsx'
import type { View } from './search.ts'
import type { StagedOfTable } from './rows/staged-context.ts'
import { TableGrid } from './grid/TableGrid.tsx'
import { type useTableRows, tableProblem } from './use-table-rows.ts'

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

type RowCardsProps = { entity: EntityDetail; model: TableModel; onOpen: (row: number) => void }

/** Values that a card shows below the key; the rest is in the row's panel. */
const shownColumns = 4

/** Rows on a phone. */
function RowCards({ entity, model, onOpen }: RowCardsProps) {
  const keys = entity.primary_key
  const heads = entity.columns.filter(({ name }) => keys.includes(name))
  const head = heads.length > 0 ? heads : entity.columns.slice(0, 1)
  const others = entity.columns.filter((column) => !head.includes(column)).slice(0, shownColumns)
  const indexOf = (id: string) => entity.columns.findIndex((column) => column.id === id)
  return (
    <ul className="row-cards scroll" aria-label={`Rows of ${entity.name}`}>
      {Array.from({ length: model.rowCount }, (_, row) => (
        <li key={row}>
          <button
            type="button"
            className={cx('row-card', model.rowStateAt(row))}
            onClick={() => onOpen(row)}
          >
            <span className="row-card-key mono">
              {head.map(({ id }) => (
                <ValueText key={id} view={model.cellAt(row, indexOf(id))} />
              ))}
            </span>
            {others.map(({ id, name }) => (
              <span className="row-card-pair" key={id}>
                <span className="muted t12 ell">{name}</span>
                <span className="mono ell">
                  <ValueText view={model.cellAt(row, indexOf(id))} />
                </span>
              </span>
            ))}
          </button>
        </li>
      ))}
    </ul>
  )
}

type ConditionsFirstProps = {
  conditions: readonly string[]
  onRun: () => void
  onRemove: () => void
}

/** In place of the rows, while SQL of somebody else's waits to be read. */
export function ConditionsFirst({ conditions, onRun, onRemove }: ConditionsFirstProps) {
  return (
    <div className="definition scroll">
      <Callout type="warning" title="This view filters by SQL">
        <p>
          The SQL runs with your rights, and can read whatever you can read. Run it only if you
          understand it.
        </p>
      </Callout>
      {conditions.map((condition) => (
        <CodeBlock key={condition} code={condition} language="sql" what="SQL condition" />
      ))}
      <div className="row">
        <Button variant="primary" onClick={onRun}>
          Run the SQL
        </Button>
        <Button onClick={onRemove}>Remove the SQL</Button>
      </div>
    </div>
  )
}
