import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { use, useDeferredValue, useState } from 'react'
import { pgMeta } from '#contract/pg-meta'
import { useDenials } from '../../session/permissions.ts'
import { useProject } from '../../session/use-project.ts'
import { cx } from '../../ui/cx.ts'
import { ErrorNote } from '../../ui/ErrorNote.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { EntityRow } from './EntityRow.tsx'
import { entitiesQuery } from './queries.ts'
import { SchemaPicker } from './SchemaPicker.tsx'
import { countOf } from './staged.ts'
import { StagedContext } from './staged-context.ts'

type Props = {
  projectRef: string
  schema: string
  openId: number | undefined
  onSchema: (schema: string) => void
}

/** The second column: everything in a schema that has rows. */
export function EntityList({ projectRef, schema, openId, onSchema }: Props) {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const list = useQuery(entitiesQuery(projectRef, schema, search))
  const staged = use(StagedContext)?.histories
  const why = useDenials(useProject(projectRef))
  const entities = list.data?.entities ?? []
  const groups = [
    { title: undefined, rows: entities.filter(({ kind }) => /table/.test(kind)) },
    { title: 'Views', rows: entities.filter(({ kind }) => !/table/.test(kind)) },
  ]
  const denied = why(pgMeta.createTable)
  return (
    <aside className={cx('side entity-side', openId !== undefined && 'behind')} aria-label="Tables">
      <div className="side-head">
        <h2>Tables</h2>
        <NewTable projectRef={projectRef} schema={schema} denied={denied} />
      </div>
      <div className="entity-find">
        <SchemaPicker projectRef={projectRef} schema={schema} onSchema={onSchema} />
        <SearchField label="Find a table" value={typed} onChange={setTyped} width={223} />
      </div>
      <nav className="nav scroll" aria-label={`Tables of ${schema}`}>
        {list.isPending && <Waiting />}
        {list.error && !list.data && (
          <ErrorNote what="tables" error={list.error} onRetry={() => void list.refetch()} />
        )}
        {list.data && entities.length === 0 && (
          <p className="side-note">
            {search
              ? `Nothing in ${schema} is called like that.`
              : `There are no tables in ${schema} yet.`}
          </p>
        )}
        {groups.map(({ title, rows }) => (
          <div key={title ?? 'tables'}>
            {title && rows.length > 0 && <h3>{title}</h3>}
            {rows.map((entity) => {
              const changed = countOf(staged?.[entity.id]?.now ?? none).all > 0
              return (
                <EntityRow
                  key={entity.id}
                  projectRef={projectRef}
                  entity={entity}
                  open={entity.id === openId}
                  changed={changed}
                />
              )
            })}
          </div>
        ))}
        {list.data && list.data.total > entities.length && (
          <p className="side-note">
            {list.data.total - entities.length} more. Type a part of the name to find them.
          </p>
        )}
      </nav>
    </aside>
  )
}

const none = { updates: {}, deletes: {}, inserts: [] }

type NewTableProps = { projectRef: string; schema: string; denied: string | undefined }

function NewTable({ projectRef, schema, denied }: NewTableProps) {
  if (denied) return <IconButton icon={Plus} label="New table" disabledReason={denied} />
  return (
    <Link
      className="btn gho sq"
      to="/project/$ref/editor/new"
      params={{ ref: projectRef }}
      search={{ schema }}
      aria-label="New table"
      title="New table"
    >
      <Plus className="i" aria-hidden />
    </Link>
  )
}

function Waiting() {
  return [140, 96, 120, 84, 112].map((width) => (
    <span className="side-wait" key={width}>
      <Skeleton width={width} />
    </span>
  ))
}
