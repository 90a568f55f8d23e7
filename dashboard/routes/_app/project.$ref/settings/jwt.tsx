import { createFileRoute, Link, Outlet } from '@tanstack/react-router'
import { useHasRoute } from '../../../../session/organization/has-route.ts'
import { Page as Frame, PageHead } from '../../../../ui/Page.tsx'
import { TabNav } from '../../../../ui/navigation/Tabs.tsx'

/** Two pages under one head: the keys that sign tokens, and the secret that did so first. */
export const Route = createFileRoute('/_app/project/$ref/settings/jwt')({
  staticData: { title: 'JWT Keys', withoutDatabase: true },
  component: Page,
})

function Page() {
  const params = { ref: Route.useParams().ref }
  const has = useHasRoute()
  return (
    <Frame width="list">
      <PageHead title="JWT Keys" help="What the tokens of signed-in users are signed by." />
      <div className="sections">
        <TabNav label="Kinds of JWT keys">
          <Link to="/project/$ref/settings/jwt/signing-keys" params={params}>
            JWT signing keys
          </Link>
          {has('/project/$ref/settings/jwt/legacy') && (
            <Link to="/project/$ref/settings/jwt/legacy" params={params}>
              Legacy JWT secret
            </Link>
          )}
        </TabNav>
        <Outlet />
      </div>
    </Frame>
  )
}
