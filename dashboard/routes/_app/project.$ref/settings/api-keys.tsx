import { createFileRoute, Link, Outlet } from '@tanstack/react-router'
import { Page as Frame, PageHead } from '../../../../ui/Page.tsx'
import { TabNav } from '../../../../ui/navigation/Tabs.tsx'

/** Two pages under one head: keys of today, and the two that every project began with. */
export const Route = createFileRoute('/_app/project/$ref/settings/api-keys')({
  staticData: { title: 'API Keys', withoutDatabase: true },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const params = { ref }
  const activeOptions = { exact: true }
  return (
    <Frame width="list">
      <PageHead title="API Keys" help="Keys that clients use to access this project." />
      <div className="sections">
        <TabNav label="Kinds of API keys">
          <Link to="/project/$ref/settings/api-keys" {...{ params, activeOptions }}>
            Publishable and secret API keys
          </Link>
          <Link to="/project/$ref/settings/api-keys/legacy" {...{ params, activeOptions }}>
            Legacy API keys
          </Link>
        </TabNav>
        <Outlet />
      </div>
    </Frame>
  )
}
