import { createFileRoute, Link, Outlet } from '@tanstack/react-router'
import { useHasRoute } from '../../../../session/organization/has-route.ts'
import { Page as Frame, PageHead } from '../../../../ui/Page.tsx'
import { TabNav } from '../../../../ui/navigation/Tabs.tsx'

/** Three pages under one head. They are of use while the database is not: it may be what is to be brought back. */
export const Route = createFileRoute('/_app/project/$ref/database/backups')({
  staticData: { title: 'Backups', withoutDatabase: true },
  component: Page,
})

function Page() {
  const params = { ref: Route.useParams().ref }
  const has = useHasRoute()
  return (
    <Frame width="list">
      <PageHead title="Backups" help="Copies of the whole database, and ways back to them." />
      <div className="sections">
        <TabNav label="Kinds of restores">
          <Link to="/project/$ref/database/backups/scheduled" params={params}>
            Backups
          </Link>
          <Link to="/project/$ref/database/backups/pitr" params={params}>
            Point in time
          </Link>
          {has('/project/$ref/database/backups/restore-to-new-project') && (
            <Link
              to="/project/$ref/database/backups/restore-to-new-project"
              params={params}
              activeOptions={{ includeSearch: false }}
            >
              Restore to a new project
            </Link>
          )}
        </TabNav>
        <Outlet />
      </div>
    </Frame>
  )
}
