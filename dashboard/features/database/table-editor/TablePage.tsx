import { useSuspenseQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { SquareTerminal } from 'lucide-react'
import { pgMeta } from '#contract/database/pg-meta'
import { tableRows } from '#contract/database/rows/table-rows'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { forget } from '../../../api/client.ts'
import type { Impersonation } from '../../../modules/roles/impersonation.ts'
import { LeftWorkNote, useLeftWork } from '../../../session/identity/left-work.tsx'
import { forgetLook, waitingLook } from '../../../modules/roles/look-as.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { usePreferences } from '../../../session/identity/preferences.ts'
import { protection } from '../../../modules/objects/protected-schemas.ts'
import { useProject } from '../../../session/project/project.ts'
import { useWindowName } from '../../../session/window-name.ts'
import type { CellAt, SelectionView } from '../../../ui/grid/grid-types.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { useOpenSql } from '../../../modules/sql/saved-query.ts'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { useNarrow } from '../../../ui/use-narrow.ts'
import { ChangesBar, changesText, ChangesProblem } from './rows/ChangesBar.tsx'
import { definitionQuery, entityQuery } from './queries.ts'
import { inGroups } from './filters/filter-text.ts'
import { keepConditions, unknownConditions } from './filters/known-conditions.ts'
import { ReviewPanel } from './lazy-panels.tsx'
import { shownColumns } from './grid/layout.ts'
import type { Overlay } from './overlay.ts'
import { searchOf, viewOf, type TableSearch, type View } from './search.ts'
import { useStaged } from './rows/staged-context.ts'
import { countOf, type Staged } from './rows/staged.ts'
import { TableBar } from './TableBar.tsx'
import { TableFoot } from './TableFoot.tsx'
import { TableHeader } from './TableHeader.tsx'
import { TableOverlays } from './TableOverlays.tsx'
import { ConditionsFirst, TableRows } from './TableRows.tsx'
import { isPlain, useApply } from './rows/use-apply.ts'
import { useLayout } from './grid/use-layout.ts'
import { useTableRows } from './use-table-rows.ts'

type Props = {
  projectRef: string
  entityId: number
  search: TableSearch
  onSearch: (search: TableSearch) => void
  onDeleted: () => unknown
}

const noSelection: SelectionView = { range: undefined, rows: [] }

/** The rows of one table or view, and everything that is done with them. Give it the entity as key. */
export function TablePage({ projectRef, entityId, search, onSearch, onDeleted }: Props) {
  const { data: entity } = useSuspenseQuery(entityQuery(projectRef, entityId))
  useWindowName(entity.name)
  const why = useDenials(useProject(projectRef))
  const view = useMemo(() => viewOf(search, entity.columns), [search, entity.columns])
  const staged = useStaged(entityId)
  const { left, settle } = useLeftWork(staged.drafts, String(entityId))
  const [as, setAs] = useState<Impersonation | undefined>(() => waitingLook(projectRef))
  useEffect(forgetLook, [])
  const [, setAgreed] = useState(0)
  const conditions = unknownConditions(projectRef, view.filters)
  const atOnce = usePreferences(({ saveRowsAtOnce }) => saveRowsAtOnce)
  const apply = useApply(projectRef, entity, staged, atOnce)
  const rows = useTableRows(projectRef, entity, view, staged.staged, {
    as,
    refusal: apply.refusal,
    waiting: conditions.length > 0,
  })
  const { page, model, places } = rows
  const [asked, setAsked] = useState<{ cell: CellAt | undefined; before: unknown }>()
  /** The cell to be scrolled to: the one that was refused last, by the database or before it was staged. */
  const { refusal } = apply
  const refusedAt = useMemo(
    () => refusal && model.placeOf(refusal),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- scrolled to once, not whenever rows change
    [refusal],
  )
  const reveal = asked && asked.before === refusal ? asked.cell : refusedAt
  const [overlay, setOverlay] = useState<Overlay>()
  const [selected, setSelected] = useState<{ of: unknown; selection: SelectionView }>()
  const { layout, change: setLayout } = useLayout(projectRef, entity)
  const shown = useMemo(
    () => shownColumns(entity.columns, layout, entity.primary_key),
    [entity, layout],
  )
  const narrow = useNarrow()

  const table = {
    ...staged,
    change(next: (now: Staged) => Staged) {
      staged.change(next)
      // What is refused stays staged, with the reason beside it.
      const requested = next(staged.staged)
      if (atOnce && !apply.isPending && isPlain(requested)) apply.mutate(requested)
    },
  }
  const selection = selected?.of === places ? selected.selection : noSelection
  const readOnlySchema = protection(entity.schema)
  const otherRole = as && `You are viewing as ${as.label}. Switch back to postgres to change rows.`
  const readOnly = entity.read_only_because ?? why(tableRows.apply) ?? readOnlySchema ?? otherRole
  const counts = countOf(table.staged)
  const shared = { projectRef, entity, table, model, readOnly, readOnlySchema, view, layout, shown }
  const show = (next: Partial<View>) => onSearch(searchOf({ ...view, ...next }))
  const refresh = () => forget(tableRows.list, tableRows.count, pgMeta.entity, pgMeta.entities)
  const insert = () => setOverlay({ kind: 'insert' })
  const close = () => setOverlay(undefined)
  const closeMenu = () =>
    setOverlay((now) => (now?.kind === 'head-menu' || now?.kind === 'cell-menu' ? undefined : now))
  const isDefinition = search.show === 'definition'

  return (
    <main className="main" id="main">
      <TableHeader
        {...shared}
        narrow={narrow}
        isDefinition={isDefinition}
        onDefinition={(on) => onSearch(on ? { show: 'definition' } : {})}
        onOpen={setOverlay}
        onDeleted={onDeleted}
      />
      {isDefinition ? (
        <Definition projectRef={projectRef} entity={entity} />
      ) : conditions.length > 0 ? (
        <ConditionsFirst
          conditions={conditions}
          onRun={() => {
            keepConditions(projectRef, view.filters)
            setAgreed((times) => times + 1)
          }}
          onRemove={() =>
            show({ filters: inGroups(view.filters.filter((one) => !('condition' in one))) })
          }
        />
      ) : (
        <>
          <TableBar
            {...shared}
            as={as}
            onAs={setAs}
            onView={show}
            onLayout={setLayout}
            onOpen={setOverlay}
            selection={selection}
            onRefresh={() => void refresh()}
            refreshing={page.isFetching}
          />
          <div className="body table-body">
            <div className="table-rows">
              <TableRows
                {...shared}
                {...rows}
                narrow={narrow}
                onView={show}
                onLayout={setLayout}
                onOpen={setOverlay}
                onSelect={(next) => setSelected({ of: places, selection: next })}
                onInsert={insert}
                reveal={reveal}
                onReveal={(cell) => setAsked({ cell, before: refusal })}
              />
              {left && counts.all === 0 && !readOnly && (
                <LeftWorkNote
                  left={left}
                  title={`${changesText(countOf(left.work).all)} not applied`}
                  onDiscard={settle}
                  onRestore={() => {
                    staged.change(() => left.work)
                    settle()
                  }}
                />
              )}
              {apply.error && counts.all > 0 && (
                <ChangesProblem entity={entity} error={apply.error} refusal={apply.refusal} />
              )}
              {(counts.all > 0 || table.canRedo) && (
                <ChangesBar
                  counts={counts}
                  pending={apply.isPending}
                  canUndo={table.canUndo}
                  canRedo={table.canRedo}
                  onUndo={table.undo}
                  onRedo={table.redo}
                  onDiscard={() => {
                    table.discard()
                    toast.info(`${changesText(counts.all)} discarded`, {
                      action: { label: 'Undo', run: table.undo },
                    })
                  }}
                  onReview={() =>
                    setOverlay(overlay?.kind === 'review' ? undefined : { kind: 'review' })
                  }
                  onApply={() => apply.mutate(table.staged)}
                />
              )}
              <TableFoot
                {...shared}
                as={as}
                page={page.data}
                selection={selection}
                onPage={(cursor, number) => {
                  const at = { cursor, page: String(Math.max(1, number)) }
                  onSearch({ ...searchOf(view), ...(number > 1 || view.end ? at : {}) })
                }}
                onFirst={() => onSearch(searchOf(view))}
                onLast={(number) =>
                  onSearch({
                    ...searchOf(view),
                    end: 'true',
                    ...(number ? { page: String(number) } : {}),
                  })
                }
                onLimit={(limit) => show({ limit })}
              />
            </div>
            {overlay?.kind === 'review' && counts.all > 0 && (
              <ReviewPanel {...shared} onClose={close} />
            )}
          </div>
        </>
      )}
      <TableOverlays
        {...shared}
        onView={show}
        onLayout={setLayout}
        onImported={() => {
          close()
          void refresh()
        }}
        overlay={overlay}
        onOpen={setOverlay}
        onMenuClose={closeMenu}
      />
    </main>
  )
}

type DefinitionProps = { projectRef: string; entity: EntityDetail }

/** The SQL that would make the table again. */
function Definition({ projectRef, entity }: DefinitionProps) {
  const { data, error, refetch } = useQuery(definitionQuery(projectRef, entity.id))
  const sql = useOpenSql(projectRef)
  return (
    <div className="definition scroll">
      {error && !data ? (
        <ErrorNote what="definition" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton width={320} />
      ) : (
        <>
          <div className="row">
            <span className="muted t12">As Postgres prints it, with indexes and policies.</span>
            <span className="grow" />
            {sql.error && <span className="err ell">{sql.error.message}</span>}
            <Button
              icon={SquareTerminal}
              busy={sql.busy}
              onClick={() => sql.open(`Definition of ${entity.name}`, data.sql)}
            >
              Open in the SQL editor
            </Button>
          </div>
          <CodeBlock code={data.sql} language="sql" what="SQL definition" />
        </>
      )}
    </div>
  )
}
