import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { pgMeta } from '#contract/pg-meta'
import { tableRows } from '#contract/table-rows'
import { forget } from '../../api/client.ts'
import { useDenials } from '../../session/permissions.ts'
import { useProject } from '../../session/use-project.ts'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { GridSkeleton } from '../../ui/grid/GridSkeleton.tsx'
import type { SelectionView } from '../../ui/grid/grid-types.ts'
import { ChangesBar } from './ChangesBar.tsx'
import { NoRows } from './NoRows.tsx'
import { isProtected } from './protected-schemas.ts'
import { entityQuery } from './queries.ts'
import { ReviewPanel } from './ReviewPanel.tsx'
import { RowCards } from './RowCards.tsx'
import { RowPanel } from './RowPanel.tsx'
import { searchOf, viewOf, type TableSearch, type View } from './search.ts'
import { useStaged } from './staged-context.ts'
import { countOf } from './staged.ts'
import { TableBar } from './TableBar.tsx'
import { TableFoot } from './TableFoot.tsx'
import { TableGrid } from './TableGrid.tsx'
import { TableHeader } from './TableHeader.tsx'
import { useApply } from './use-apply.ts'
import { useNarrow } from './use-narrow.ts'
import { useTableRows } from './use-table-rows.ts'

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
  const table = useStaged(entityId)
  const { page, model, loaded, places } = useTableRows(projectRef, entity, view, table.staged)
  const apply = useApply(projectRef, entity, table)
  const [panel, setPanel] = useState<'review' | { row: number } | 'insert'>()
  const [selected, setSelected] = useState<{ of: unknown; selection: SelectionView }>()
  const narrow = useNarrow()

  const selection = selected?.of === places ? selected.selection : noSelection
  const readOnly = entity.read_only_because ?? why(tableRows.apply) ?? protection(entity.schema)
  const counts = countOf(table.staged)
  const shared = { projectRef, entity, table, model, readOnly }
  const show = (next: Partial<View>) => onSearch(searchOf({ ...view, ...next }))
  const refresh = () => forget(tableRows.list, tableRows.count, pgMeta.entity, pgMeta.entities)
  const insert = () => setPanel('insert')
  const closePanel = () => setPanel(undefined)

  return (
    <main className="main" id="main">
      <TableHeader {...shared} narrow={narrow} onInsert={insert} onDeleted={onDeleted} />
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
          ) : !loaded ? (
            <GridSkeleton />
          ) : model.rowCount === 0 ? (
            <NoRows
              filtered={view.filters.length > 0}
              readOnly={readOnly}
              onClear={() => show({ filters: [] })}
              onInsert={insert}
            />
          ) : narrow ? (
            <RowCards {...shared} onOpen={(row) => setPanel({ row })} />
          ) : (
            <TableGrid
              {...shared}
              view={view}
              onView={show}
              places={places}
              onSelect={(next) => setSelected({ of: places, selection: next })}
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
              onApply={() => apply.mutate(table.staged)}
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
        {panel === 'review' && counts.all > 0 && <ReviewPanel {...shared} onClose={closePanel} />}
      </div>
      {panel !== undefined && panel !== 'review' && (
        <RowPanel
          {...shared}
          row={panel === 'insert' ? undefined : panel.row}
          onClose={closePanel}
        />
      )}
    </main>
  )
}

const protection = (schema: string) =>
  isProtected(schema)
    ? `The schema ${schema} belongs to the platform and is not changed here.`
    : undefined
