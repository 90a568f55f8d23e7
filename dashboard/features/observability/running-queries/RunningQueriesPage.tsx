import { SessionList } from '../../../modules/running/SessionList.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SearchField } from '../../../ui/controls/SearchField.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import '../../../ui/lists/list-page.css'

type Filter = { q?: string | undefined; show?: string | undefined }
type Props = { projectRef: string; filter: Filter; onFilter: (filter: Filter) => void }

/** /project/{ref}/database/queries: who is connected, what they run, and who waits for whom. */
export function RunningQueriesPage({ projectRef, filter, onFilter }: Props) {
  const { q = '', show } = filter
  return (
    <Page>
      <PageHead
        title="Running queries"
        help="Sessions of this database, refreshed every three seconds while this page is visible."
      />
      <div className="narrow-bar">
        <SearchField
          label="Find a session"
          value={q}
          onChange={(next) => onFilter({ ...filter, q: next })}
        />
        <Switch
          label="Idle too"
          checked={show === 'all'}
          onChange={(next) => onFilter({ ...filter, show: next ? 'all' : undefined })}
        />
      </div>
      <SessionList
        projectRef={projectRef}
        words={q}
        idleToo={show === 'all'}
        onShowAll={() => onFilter({ show: 'all' })}
      />
    </Page>
  )
}
