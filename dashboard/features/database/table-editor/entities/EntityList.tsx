import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, use, useDeferredValue, useState } from 'react'
import { FileUp, Lock, ChevronsUpDown, Plus } from 'lucide-react'
import type { Entity, EntityKind } from '#contract/database/pg-meta-shapes'
import { pgMeta } from '#contract/database/pg-meta'
import { tableTransfer } from '#contract/database/table-transfer'
import { protection, isProtected } from '../../../../modules/objects/protected-schemas.ts'
import { cx } from '../../../../ui/cx.ts'
import { ErrorNote } from '../../../../ui/ErrorNote.tsx'
import type { Place } from '../../../../ui/grid/grid-types.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import { SearchField } from '../../../../ui/controls/SearchField.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { counted } from '../../../../ui/text/number.ts'
import { importsQuery } from '../import/imports-query.ts'
import { ImportPanel } from '../lazy-panels.tsx'
import { entitiesQuery, type ListOrder, schemasQuery } from '../queries.ts'
import { useDenials } from '../../../../session/organization/permissions.ts'
import { NewSchemaDialog } from '../../../../modules/tables/NewSchemaDialog.tsx'
import { useProject } from '../../../../session/project/project.ts'
import { OptionList } from '../../../../ui/lists/OptionList.tsx'
import { Popover } from '../../../../ui/floats/Popover.tsx'
import { countOf, nothing } from '../rows/staged.ts'
import { StagedContext } from '../rows/staged-context.ts'
import { TableDialogs, type TableDialog } from '../TableDialogs.tsx'
import { EntityHead } from './EntityHead.tsx'
import { EntityRow, EntityMenu } from './EntityRow.tsx'
import { EntityWindow, useSight } from './EntityWindow.tsx'

type Props = {
  projectRef: string
  schema: string
  openId: number | undefined
  onSchema: (schema: string) => void
}

/** Pixels from the end of the list at which its next part is asked for. */
const ahead = 600

/** The second column: everything in a schema that has rows. */
export function EntityList({ projectRef, schema, openId, onSchema }: Props) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [sort, setSort] = useState<ListOrder>('name')
  const [kinds, setKinds] = useState<readonly EntityKind[]>([])
  const [menu, setMenu] = useState<{ entity: Entity; place: Place }>()
  const [dialog, setDialog] = useState<TableDialog>()
  const [importing, setImporting] = useState(false)
  const search = useDeferredValue(typed.trim())
  const requested = { sort, kinds: kinds.join(',') }
  const list = useInfiniteQuery(entitiesQuery(projectRef, schema, search, requested))
  const { sight, look } = useSight()
  const staged = use(StagedContext)?.histories
  const entities = list.data?.pages.flatMap((page) => page.entities) ?? []
  const locked = protection(schema)
  const toList = () =>
    navigate({ to: '/project/$ref/editor', params: { ref: projectRef }, search: { schema } })

  function more(box: HTMLElement) {
    const end = box.scrollHeight - box.scrollTop - box.clientHeight
    if (end < ahead && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
  }
  return (
    <aside className={cx('side entity-side', openId !== undefined && 'behind')} aria-label="Tables">
      <EntityHead
        {...{ projectRef, schema, locked, sort, kinds }}
        onSort={setSort}
        onKinds={setKinds}
        onImport={() => setImporting(true)}
      />
      <div className="entity-find">
        <SchemaPicker projectRef={projectRef} schema={schema} onSchema={onSchema} />
        <SearchField label="Find a table" value={typed} onChange={setTyped} width={223} />
        {locked !== undefined && (
          <p className="side-note row">
            <Icon of={Lock} size="s" />
            <span>{locked}</span>
          </p>
        )}
      </div>
      <nav
        className="nav scroll"
        aria-label={`Tables of ${schema}`}
        onScroll={(event) => {
          look(event)
          more(event.currentTarget)
        }}
      >
        {list.isPending && <Waiting />}
        {list.error && !list.data && (
          <ErrorNote what="tables" error={list.error} onRetry={() => void list.refetch()} />
        )}
        {list.data && entities.length === 0 && (
          <p className="side-note">
            {search
              ? `Nothing in ${schema} has that name.`
              : kinds.length > 0
                ? `There is nothing of this kind in ${schema}.`
                : `There are no tables in ${schema} yet.`}
          </p>
        )}
        {groupsOf(entities, sort).map(({ title, rows, before }) => (
          <div key={title ?? 'tables'}>
            {title && <h3>{title}</h3>}
            <EntityWindow rows={rows} before={before} sight={sight}>
              {(entity) => (
                <EntityRow
                  key={entity.id}
                  projectRef={projectRef}
                  entity={entity}
                  open={entity.id === openId}
                  changed={countOf(staged?.[entity.id]?.now ?? nothing).all > 0}
                  onMenu={setMenu}
                />
              )}
            </EntityWindow>
          </div>
        ))}
        {list.isFetchingNextPage && <Waiting />}
        {list.hasNextPage && !list.isFetchingNextPage && (
          <button type="button" className="foot-button" onClick={() => void list.fetchNextPage()}>
            More tables
          </button>
        )}
      </nav>
      {menu && (
        <EntityMenu
          {...menu}
          projectRef={projectRef}
          locked={locked}
          onDialog={(kind) => setDialog({ kind, id: menu.entity.id })}
          onClose={() => setMenu(undefined)}
        />
      )}
      <TableDialogs
        projectRef={projectRef}
        schema={schema}
        dialog={dialog}
        onClose={() => setDialog(undefined)}
        onDropped={(id) => id === openId && toList()}
      />
      <ImportsButton projectRef={projectRef} />
      {importing && (
        <ImportPanel
          projectRef={projectRef}
          schema={schema}
          into={undefined}
          onClose={() => setImporting(false)}
          onDone={(id) => {
            setImporting(false)
            if (id === undefined) return void toList()
            const params = { ref: projectRef, id: String(id) }
            void navigate({ to: '/project/$ref/editor/$id', params })
          }}
        />
      )}
    </aside>
  )
}

/** By name, all stand in one list; by kind, what is seen through stands below the tables. */
function groupsOf(entities: readonly Entity[], sort: ListOrder) {
  if (sort === 'name') return [{ title: undefined, rows: entities, before: 0 }]
  const tables = entities.filter(({ kind }) => /table/.test(kind))
  const views = entities.filter(({ kind }) => !/table/.test(kind))
  return [
    { title: undefined, rows: tables, before: 0 },
    { title: 'Views', rows: views, before: tables.length },
  ].filter(({ rows }) => rows.length > 0)
}

function Waiting() {
  return [140, 96, 120, 84, 112].map((width) => (
    <span className="side-wait" key={width}>
      <Skeleton width={width} />
    </span>
  ))
}

type SchemaPickerProps = { projectRef: string; schema: string; onSchema: (schema: string) => void }

function SchemaPicker({ projectRef, schema, onSchema }: SchemaPickerProps) {
  const [open, setOpen] = useState(false)
  const [creating, setCreating] = useState(false)
  const { data: schemas = [] } = useQuery(schemasQuery(projectRef))
  const why = useDenials(useProject(projectRef))
  const options = schemas.map(({ name }) => ({
    value: name,
    label: name,
    ...(isProtected(name) ? { detail: 'platform', group: 'Of the platform' } : {}),
  }))
  const own = options.filter(({ value }) => !isProtected(value))
  return (
    <>
      <Popover
        fit
        label="Schema"
        open={open}
        onOpenChange={setOpen}
        trigger={
          <button type="button" className="in sel" aria-haspopup="listbox">
            <span className="row">
              <span className="faint">schema</span>
              <span className="mono ell">{schema}</span>
            </span>
            <Icon of={ChevronsUpDown} size="xs" />
          </button>
        }
      >
        <OptionList
          label="Schema"
          search="Find a schema"
          options={[...own, ...options.filter(({ value }) => isProtected(value))]}
          value={schema}
          onSelect={(next) => {
            setOpen(false)
            onSchema(next)
          }}
          footer={
            !why(pgMeta.createSchema) && (
              <button
                type="button"
                className="mi"
                onClick={() => {
                  setOpen(false)
                  setCreating(true)
                }}
              >
                <Icon of={Plus} size="s" />
                New schema
              </button>
            )
          }
        />
      </Popover>
      {creating && (
        <NewSchemaDialog
          projectRef={projectRef}
          onClose={() => setCreating(false)}
          onCreated={onSchema}
        />
      )}
    </>
  )
}

const ImportsPanel = lazy(() =>
  import('../import/ImportsPanel.tsx').then((m) => ({ default: m.ImportsPanel })),
)

/** The way to one's imports, below the list of tables, while there are any. */
function ImportsButton({ projectRef }: { projectRef: string }) {
  const why = useDenials(useProject(projectRef))
  const [open, setOpen] = useState(false)
  const enabled = why(tableTransfer.imports) === undefined
  const { data = [] } = useQuery({ ...importsQuery(projectRef), enabled })
  const running = data.filter(({ ended_at }) => ended_at === null)
  const sum = (of: (one: (typeof data)[number]) => number) =>
    running.reduce((total, one) => total + of(one), 0)
  const part = sum(({ received, read }) => received + read) / (2 * sum(({ file }) => file.size))
  return (
    <>
      {data.length > 0 && (
        <button type="button" className="imports-button" onClick={() => setOpen(true)}>
          <Icon of={FileUp} size="s" />
          <span className="grow">
            {running.length > 0
              ? `${counted(running.length, 'import', 'imports')} under way`
              : 'Imports'}
          </span>
          {running.length > 0 && <span>{Math.floor(part * 100)} %</span>}
        </button>
      )}
      {open && (
        <Suspense>
          <ImportsPanel projectRef={projectRef} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
