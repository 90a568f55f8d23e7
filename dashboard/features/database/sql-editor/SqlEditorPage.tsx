import { useQuery } from '@tanstack/react-query'
import { useNavigate, Link } from '@tanstack/react-router'
import { FileQuestion, Plus, SquareTerminal, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { cx } from '../../../ui/cx.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { rememberQuery } from './snippets/last-query.ts'
import type { OpenQuery, OpenTab } from './open-query.ts'
import { QueryPane } from './QueryPane.tsx'
import {
  useIsUnsaved,
  useOpenTabs,
  useWorkspace,
  useQueryView,
  useWorkspaceOf,
  WorkspaceContext,
} from './use-workspace.ts'
import { SnippetSide } from './snippets/SnippetSide.tsx'
import { EditorSkeleton } from './editor/SqlText.tsx'
import './sql-editor.css'

type Props = { projectRef: string; /** `new` for one that does not exist yet. */ queryId: string }

/** Saved queries at the left, the open one with its results in the rest. */
export function SqlEditorPage({ projectRef, queryId }: Props) {
  const workspace = useWorkspaceOf(projectRef)
  const [listOpen, setListOpen] = useState(false)
  const current = queryId === 'new' ? undefined : queryId
  return (
    <WorkspaceContext value={workspace}>
      <aside className="side sql-aside" aria-label="Saved queries">
        <SnippetSide current={current} />
      </aside>
      <main className="main sql-main" id="main">
        <QueryTabs current={current} />
        <Query queryId={queryId} onList={() => setListOpen(true)} />
      </main>
      <SidePanel open={listOpen} onClose={() => setListOpen(false)} title="Saved queries">
        <SnippetSide current={current} onChosen={() => setListOpen(false)} />
      </SidePanel>
    </WorkspaceContext>
  )
}

function Query({ queryId, onList }: { queryId: string; onList: () => void }) {
  const workspace = useWorkspace()
  const { ref, queries } = workspace
  const navigate = useNavigate()
  const blank = queryId === 'new' ? queries.blank() : undefined
  const here = blank ?? queries.get(queryId)
  const { data, error, refetch } = useQuery({
    queryKey: ['sql-editor.open', workspace.person, ref, queryId],
    queryFn: async () => (await queries.load(queryId)) ?? null,
    enabled: here === undefined,
    // What is open lives in the workspace; this only says whether it could be opened.
    gcTime: 0,
    staleTime: 0,
  })
  const query = here ?? data ?? undefined

  if (query) return <OpenedQuery query={query} isNew={blank !== undefined} onList={onList} />
  if (error) return <ErrorNote what="this query" error={error} onRetry={() => void refetch()} />
  if (data === null)
    return (
      <div className="sql-missing">
        <EmptyState
          icon={FileQuestion}
          title="This query does not exist"
          action={
            <Button
              variant="primary"
              onClick={() =>
                void navigate({ to: '/project/$ref/sql/$id', params: { ref, id: 'new' } })
              }
            >
              New query
            </Button>
          }
        >
          It was deleted, or it belongs to someone who does not share it.
        </EmptyState>
      </div>
    )
  return (
    <>
      <div className="bar sql-bar" />
      <EditorSkeleton />
    </>
  )
}

type Opened = { query: OpenQuery; isNew: boolean; onList: () => void }

function OpenedQuery({ query, isNew, onList }: Opened) {
  const { ref, tabs, queries } = useWorkspace()
  const navigate = useNavigate()
  const { id } = query
  const name = useQueryView(query, (view) => view.values.name)
  const isUnused = useQueryView(query, (view) => !view.saved && query.isClean())
  useEffect(() => {
    if (!isUnused) tabs.show(id, name)
    rememberQuery(ref, isUnused ? undefined : id)
  }, [tabs, ref, id, name, isUnused])
  useEffect(() => {
    if (!isNew) queries.named(id)
    // With the first letter a new query gets an address of its own, which survives a reload.
    else if (!isUnused)
      void navigate({ to: '/project/$ref/sql/$id', params: { ref, id }, replace: true })
  }, [queries, navigate, ref, id, isNew, isUnused])
  useEffect(() => {
    // A version saved elsewhere since this tab last looked.
    void queries.refresh(id)
  }, [queries, id])
  return <QueryPane query={query} onList={onList} />
}

type QueryTabsProps = {
  /** The query that is shown; undefined for a new one that nothing was typed into. */
  current: string | undefined
}

/** The open queries, as tabs above the editor. */
function QueryTabs({ current }: QueryTabsProps) {
  const { ref, tabs } = useWorkspace()
  const open = useOpenTabs()
  const navigate = useNavigate()

  function close(id: string) {
    const next = tabs.close(id)
    if (id === current)
      void navigate({ to: '/project/$ref/sql/$id', params: { ref, id: next ?? 'new' } })
  }
  return (
    <nav className="dtabs sql-tabs" aria-label="Open queries">
      {open.map((tab) => (
        <QueryTab
          key={tab.id}
          tab={tab}
          isCurrent={tab.id === current}
          onClose={() => close(tab.id)}
        />
      ))}
      {current === undefined && (
        <Link to="/project/$ref/sql/$id" params={{ ref, id: 'new' }} aria-current="page">
          <Icon of={SquareTerminal} size="s" />
          <i>New query</i>
        </Link>
      )}
      <IconButton
        className="sql-tabs-new"
        icon={Plus}
        label="New tab"
        onClick={() => void navigate({ to: '/project/$ref/sql/$id', params: { ref, id: 'new' } })}
      />
    </nav>
  )
}

function QueryTab({
  tab: { id, name },
  isCurrent,
  onClose,
}: {
  tab: OpenTab
  isCurrent: boolean
  onClose: () => void
}) {
  const { ref } = useWorkspace()
  const unsaved = useIsUnsaved(id)
  return (
    <span className={cx('sql-tab', isCurrent && 'on')}>
      <Link
        to="/project/$ref/sql/$id"
        params={{ ref, id }}
        aria-current={isCurrent ? 'page' : undefined}
        title={name}
      >
        <Icon of={SquareTerminal} size="s" />
        <span className="ell">{name}</span>
        {unsaved && <span className="mod" title="Not saved yet" />}
      </Link>
      <IconButton icon={X} iconSize="s" label={`Close ${name}`} onClick={onClose} />
    </span>
  )
}
