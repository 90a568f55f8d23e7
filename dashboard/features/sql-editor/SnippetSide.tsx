import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { IconButton } from '../../ui/IconButton.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { LastRunList } from './LastRunList.tsx'
import { snippetCountQuery, sections } from './snippet-lists.ts'
import { SnippetSection } from './SnippetSection.tsx'
import { useWorkspace } from './use-workspace.ts'

type Props = {
  current: string | undefined
  /** Inside a panel of a narrow window, which has its own heading and closes when something is chosen. */
  onChosen?: (() => void) | undefined
}

/** The saved queries of the project: shared ones, favourites, and one's own. */
export function SnippetSide({ current, onChosen }: Props) {
  const { ref } = useWorkspace()
  const navigate = useNavigate()
  const [search, setSearch] = useState('')
  const name = useDeferredValue(search.trim())
  const { data: count } = useQuery(snippetCountQuery(ref, name))
  const counts = { shared: count?.shared, favorites: count?.favorites, private: count?.private }
  const inPanel = onChosen !== undefined
  return (
    <div className="sql-side">
      <div className="side-head">
        {!inPanel && <h1 className="sql-side-title">SQL</h1>}
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
      <nav className="nav scroll" aria-label="Saved queries">
        {sections.map(({ id, title }) => (
          <SnippetSection
            key={id}
            section={id}
            title={title}
            count={counts[id]}
            name={name}
            current={current}
            onChosen={onChosen}
          />
        ))}
        <LastRunList onChosen={onChosen} />
      </nav>
    </div>
  )
}
