import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { tableRows } from '#contract/table-rows'
import { pgMeta } from '#contract/pg-meta'
import { forget } from '../../api/client.ts'
import { callDatabase } from '../../session/database.ts'
import { useDenials } from '../../session/permissions.ts'
import { useProject } from '../../session/use-project.ts'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { DataGrid } from '../../ui/grid/DataGrid.tsx'
import { GridSkeleton } from '../../ui/grid/GridSkeleton.tsx'
import type { SelectionView } from '../../ui/grid/grid-types.ts'
import { ChangesBar } from './ChangesBar.tsx'
import { gridColumns } from './grid-columns.ts'
import { NoRows } from './NoRows.tsx'
import { isProtected } from './protected-schemas.ts'
import { entityQuery, rowsQuery } from './queries.ts'
import { ReviewPanel } from './ReviewPanel.tsx'
import { RowCards } from './RowCards.tsx'
import { RowPanel } from './RowPanel.tsx'
import { nextSort, searchOf, viewOf, type TableSearch, type View } from './search.ts'
import { useStaged } from './staged-context.ts'
import { countOf } from './staged.ts'
import { TableBar } from './TableBar.tsx'
import { TableFoot } from './TableFoot.tsx'
import { TableHeader } from './TableHeader.tsx'
import { tableModel } from './table-model.ts'
import { useApply } from './use-apply.ts'
import { useNarrow } from './use-narrow.ts'

type Props = {
  projectRef: string
  entityId: number
  search: TableSearch
  onSearch: (search: TableSearch) => void
  onDeleted: () => void
}

const noSelection: SelectionView = { range: undefined, rows: [] }

/** The rows of one table or view, and everything that is done with them. Give it the entity as key. */
export function TablePage({ projectRef, entityId, search, onSearch, onDeleted }: Props) {
  const { data: entity } = useSuspenseQuery(entityQuery(projectRef, entityId))
  const why = useDenials(useProject(projectRef))
  const view = useMemo(() => viewOf(search, entity.columns), [search, entity.columns])
  const page = useQuery({
    ...rowsQuery(projectRef, entityId, view),
    // Another page of the same table takes the place of this one when it is there.
    placeholderData: (before) => before,
  })
  const table = useStaged(entityId)
  const apply = useApply(projectRef, entity, table)
  const [selected, setSelected] = useState<{ of: unknown; selection: SelectionView }>({
    of: undefined,
    selection: noSelection,
  })
  const [panel, setPanel] = useState<'review' | { row: number } | 'insert'>()
  const [resized, setResized] = useState<Record<string, number>>({})
  const narrow = useNarrow()

  const model = useMemo(
    () => tableModel(entity, page.data?.rows ?? [], table.staged),
    [entity, page.data?.rows, table.staged],
  )
  const columns = useMemo(
    () => gridColumns(entity, view.sort, resized),
    [entity, view.sort, resized],
  )
  // What is selected is so by its place: other rows in these places are not.
  const selectionKey = useMemo(
    () => [page.data?.rows, table.staged.inserts.length],
    [page.data?.rows, table.staged.inserts.length],
  )
  const selection = selected.of === selectionKey ? selected.selection : noSelection
  const readOnly = entity.read_only_because ?? why(tableRows.apply) ?? protection(entity.schema)
  const counts = countOf(table.staged)
  const show = (next: Partial<View>) => onSearch(searchOf({ ...view, ...next }))
  const applyAll = () => counts.all > 0 && !apply.isPending && apply.mutate(table.staged)
  const refresh = () => forget(tableRows.list, tableRows.count, pgMeta.entity, pgMeta.entities)
  const shared = { projectRef, entity, table, model, readOnly }
  const gridProps = {
    label: `Rows of ${entity.name}`,
    columns,
    rowCount: model.rowCount,
    cellAt: model.cellAt,
    rowStateAt: model.rowStateAt,
  }
  return (
    <main className="main" id="main">
      <TableHeader
        {...shared}
        onInsert={() => setPanel('insert')}
        onDeleted={onDeleted}
        narrow={narrow}
      />
      <TableBar
        {...shared}
        view={view}
        onView={show}
        selection={selection}
        onRefresh={() => void refresh()}
        refreshing={page.isFetching}
      />
      <div className="body table-body">
        <div className="table-rows">
          {page.error && !page.data ? (
            <ErrorNote what="rows" error={page.error} onRetry={() => void page.refetch()} />
          ) : !page.data ? (
            <GridSkeleton />
          ) : model.rowCount === 0 ? (
            <NoRows
              filtered={view.filters.length > 0}
              readOnly={readOnly}
              onClear={() => show({ filters: [] })}
              onInsert={() => setPanel('insert')}
            />
          ) : narrow ? (
            <RowCards {...shared} onOpen={(row) => setPanel({ row })} />
          ) : (
            <DataGrid
              {...gridProps}
              firstNumber={(view.page - 1) * view.limit + 1 - model.added}
              selectRows={readOnly === undefined}
              selectionKey={selectionKey}
              onSelect={(next) => setSelected({ of: selectionKey, selection: next })}
              onEdit={
                readOnly === undefined ? (edits) => table.change(model.edited(edits)) : undefined
              }
              loadWhole={async (row, at) => {
                const key = model.keyAt(row)
                const column = entity.columns[at]
                if (!key || !column) throw new Error('This row has no key to find it by')
                const input = { ref: projectRef, id: entityId, key, column: column.name }
                return (await callDatabase(tableRows.value, input)).value
              }}
              onSort={(at) => {
                const column = entity.columns[at]
                if (column) show({ sort: nextSort(view.sort, column.name) })
              }}
              onResize={(at, width) => {
                const column = entity.columns[at]
                if (column) setResized((all) => ({ ...all, [column.name]: width }))
              }}
            />
          )}
          {counts.all > 0 && (
            <ChangesBar
              counts={counts}
              error={apply.error?.message}
              pending={apply.isPending}
              canUndo={table.canUndo}
              onUndo={table.undo}
              onDiscard={table.clear}
              onReview={() => setPanel(panel === 'review' ? undefined : 'review')}
              onApply={applyAll}
            />
          )}
          <TableFoot
            {...shared}
            view={view}
            page={page.data}
            selection={selection}
            onPage={(cursor, number) =>
              onSearch({
                ...searchOf(view),
                ...(number > 1 ? { cursor, page: String(number) } : {}),
              })
            }
            onLimit={(limit) => show({ limit })}
          />
        </div>
        {panel === 'review' && counts.all > 0 && (
          <ReviewPanel {...shared} onClose={() => setPanel(undefined)} />
        )}
      </div>
      {panel !== undefined && panel !== 'review' && (
        <RowPanel
          {...shared}
          row={panel === 'insert' ? undefined : panel.row}
          onClose={() => setPanel(undefined)}
        />
      )}
    </main>
  )
}

const protection = (schema: string) =>
  isProtected(schema)
    ? `The schema ${schema} belongs to the platform and is not changed here.`
    : undefined
