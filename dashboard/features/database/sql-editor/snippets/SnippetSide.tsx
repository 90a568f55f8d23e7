import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import {
  ArrowDownAZ,
  FolderPlus,
  LayoutTemplate,
  ListChecks,
  Plus,
  Activity,
  History,
} from 'lucide-react'
import { useDeferredValue, useState, lazy, Suspense } from 'react'
import { snippets } from '#contract/database/snippets'
import { snippetFolders } from '#contract/database/snippet-folders'
import { Icon } from '../../../../ui/Icon.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Menu } from '../../../../ui/floats/Menu.tsx'
import { MenuChoice } from '../../../../ui/floats/MenuItem.tsx'
import { SearchField } from '../../../../ui/controls/SearchField.tsx'
import { useCall } from '../../../../api/client.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { useWorkspace } from '../use-workspace.ts'
import { StatusDot } from '../../../../ui/text/Status.tsx'
import { durationText } from '../results/result-words.ts'
import { FolderSection } from './FolderSection.tsx'
import { HistoryPanel } from './HistoryPanel.tsx'
import { MoveDialog, NameFolderDialog } from './FolderDialogs.tsx'
import { useLastRuns } from './run-history.ts'
import { snippetCountQuery, sections, type Sort, byName, folderListQuery } from './snippet-lists.ts'
import { SnippetSection, type ListProps } from './SnippetSection.tsx'

type Props = {
  current: string | undefined
  /** Inside a panel of a narrow window, which has its own heading and closes when something is chosen. */
  onChosen?: (() => void) | undefined
}

const sorts = [
  { value: 'name', label: 'By name' },
  { value: 'newest', label: 'Newest first' },
] as const

/** The saved queries of the project: shared ones, favourites, and one's own in their folders. */
export function SnippetSide({ current, onChosen }: Props) {
  const { ref } = useWorkspace()
  const navigate = useNavigate()
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState<Sort>('name')
  const [isNaming, setNaming] = useState(false)
  const [picked, setPicked] = useState<ReadonlySet<string>>()
  const name = useDeferredValue(search.trim())
  const { data: count } = useQuery(snippetCountQuery(ref, name))
  const { data: folders } = useQuery(folderListQuery(ref))
  const counts = { shared: count?.shared, favorites: count?.favorites, private: count?.private }
  const inPanel = onChosen !== undefined
  const toggle = (id: string) =>
    setPicked((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  const list: ListProps = {
    name,
    sort,
    current,
    picking: picked && { ids: picked, toggle },
    onChosen,
  }
  return (
    <div className="sql-side">
      <div className="side-head">
        {!inPanel && <h1 className="sql-side-title">SQL</h1>}
        <Menu
          label="Sort queries"
          align="end"
          trigger={<IconButton icon={ArrowDownAZ} label="Sort queries" />}
        >
          <MenuChoice label="Sort queries" options={sorts} value={sort} onChange={setSort} />
        </Menu>
        <IconButton
          icon={ListChecks}
          label="Choose several"
          aria-pressed={picked !== undefined}
          onClick={() => setPicked(picked ? undefined : new Set())}
        />
        <IconButton icon={FolderPlus} label="New folder" onClick={() => setNaming(true)} />
        <IconButton
          icon={Plus}
          label="New query"
          onClick={() => {
            void navigate({ to: '/project/$ref/sql/$id', params: { ref, id: 'new' } })
            onChosen?.()
          }}
        />
      </div>
      <div className="sql-side-search">
        <SearchField
          label="Find a query"
          value={search}
          onChange={setSearch}
          width={224}
          keys={inPanel ? '' : '/'}
        />
      </div>
      {picked && <SelectionBar ids={[...picked]} onClear={() => setPicked(undefined)} />}
      <nav className="nav scroll" aria-label="Saved queries">
        {sections.map(({ id, title }) => {
          // What is searched for is found in every folder at once.
          const inFolders = id === 'private' && !name
          return (
            <SnippetSection
              key={id}
              {...list}
              section={id}
              title={title}
              count={counts[id]}
              folder={inFolders ? 'none' : undefined}
            >
              {inFolders &&
                folders?.folders
                  .toSorted(byName)
                  .map((folder) => <FolderSection key={folder.id} {...list} folder={folder} />)}
            </SnippetSection>
          )
        })}
        <TemplateLinks onChosen={onChosen} />
        <LastRunList onChosen={onChosen} />
      </nav>
      {isNaming && <NameFolderDialog onClose={() => setNaming(false)} />}
    </div>
  )
}

const pages = [
  { to: '/project/$ref/sql/templates', label: 'Templates' },
  { to: '/project/$ref/sql/quickstarts', label: 'Quickstarts' },
] as const

function TemplateLinks({ onChosen }: Pick<Props, 'onChosen'>) {
  const { ref } = useWorkspace()
  return (
    <section aria-label="To begin with">
      <h3>Get started</h3>
      <ul>
        {pages.map(({ to, label }) => (
          <li key={to} className="sql-row">
            <Link to={to} params={{ ref }} onClick={onChosen}>
              <Icon of={LayoutTemplate} />
              <span className="ell grow">{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

type SelectionBarProps = { ids: readonly string[]; onClear: () => void }

/** What can be done with several queries at once. */
function SelectionBar({ ids, onClear }: SelectionBarProps) {
  const { ref, queries, runs, tabs } = useWorkspace()
  const [asked, setAsked] = useState<'move' | 'delete'>()
  const remove = useCall(snippets.remove, {
    onAnswer: (removed) => {
      for (const { id } of removed) {
        tabs.close(id)
        queries.remove(id)
        runs.forget(id)
      }
    },
    changes: [snippets.list, snippets.count, snippetFolders.list],
    onSuccess: (removed) => {
      toast.success(`${removed.length} queries were deleted`)
      onClear()
    },
  })
  return (
    <div className="sql-selection" role="toolbar" aria-label="Chosen queries">
      <span className="grow tn">{ids.length} chosen</span>
      <Button
        disabledReason={ids.length === 0 && 'Choose queries first'}
        onClick={() => setAsked('move')}
      >
        Move
      </Button>
      <Button
        disabledReason={ids.length === 0 && 'Choose queries first'}
        onClick={() => setAsked('delete')}
      >
        Delete
      </Button>
      <Button variant="ghost" onClick={onClear}>
        Done
      </Button>
      {asked === 'move' && (
        <MoveDialog ids={ids} onClose={() => setAsked(undefined)} onMoved={onClear} />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          open
          onClose={() => setAsked(undefined)}
          title={`Delete ${ids.length} ${ids.length === 1 ? 'query' : 'queries'}?`}
          verb="Delete"
          error={remove.error?.message}
          pending={remove.isPending}
          onConfirm={() => remove.mutate({ ref, ids: ids.join(',') })}
        >
          <p>Their texts are deleted permanently. Queries of other people are kept.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

const RunningQueriesPanel = lazy(() =>
  import('../../../../modules/running/RunningQueriesPanel.tsx').then((m) => ({
    default: m.RunningQueriesPanel,
  })),
)

const panels = [
  { id: 'history', label: 'Run history', icon: History },
  { id: 'running', label: 'Running queries', icon: Activity },
] as const

/** What was run here lately, and how it went. */
function LastRunList({ onChosen }: { onChosen: (() => void) | undefined }) {
  const { ref, lastRuns } = useWorkspace()
  const runs = useLastRuns(lastRuns)
  const [opened, setOpened] = useState<'history' | 'running'>()
  return (
    <section className="sql-last-runs" aria-label="Last runs">
      <h3>Last runs</h3>
      <ul>
        {runs.map(({ id, queryId, name, failed, ms }) => (
          <li key={id}>
            <Link to="/project/$ref/sql/$id" params={{ ref, id: queryId }} onClick={onChosen}>
              <StatusDot tone={failed ? 'danger' : 'success'} />
              <span className="ell grow">{name}</span>
              <span className="end tn">
                {failed ? 'error' : ms !== undefined && durationText(ms)}
              </span>
            </Link>
          </li>
        ))}
        {panels.map(({ id, label, icon }) => (
          <li key={id} className="sql-row">
            <button type="button" onClick={() => setOpened(id)}>
              <Icon of={icon} />
              <span className="ell grow">{label}</span>
            </button>
          </li>
        ))}
      </ul>
      <Suspense>
        {opened === 'running' && (
          <RunningQueriesPanel projectRef={ref} open onClose={() => setOpened(undefined)} />
        )}
      </Suspense>
      {opened === 'history' && (
        <HistoryPanel
          onClose={() => {
            setOpened(undefined)
            onChosen?.()
          }}
        />
      )}
    </section>
  )
}
