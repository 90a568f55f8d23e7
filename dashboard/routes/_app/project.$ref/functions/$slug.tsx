import { createFileRoute, Link, Outlet } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { functionQuery } from '../../../../features/functions/queries.ts'
import { Page as Frame } from '../../../../ui/Page.tsx'
import { PageHead } from '../../../../ui/PageHead.tsx'
import { TabNav } from '../../../../ui/TabNav.tsx'

/** The pages of one function under one head. */
export const Route = createFileRoute('/_app/project/$ref/functions/$slug')({
  staticData: { title: 'Edge function', withoutDatabase: true },
  loader: ({ params: { ref, slug } }) => queryClient.prefetchQuery(functionQuery(ref, slug)),
  component: Page,
})

function Page() {
  const { ref, slug } = Route.useParams()
  const params = { ref, slug }
  return (
    <Frame>
      <PageHead title={<span className="mono">{slug}</span>} />
      <div className="sections">
        <TabNav label="Pages of the function">
          <Link to="/project/$ref/functions/$slug/code" params={params}>
            Code
          </Link>
          <Link to="/project/$ref/functions/$slug/deployments" params={params}>
            Deployments
          </Link>
          <Link to="/project/$ref/functions/$slug/invocations" params={params}>
            Invocations
          </Link>
          <Link to="/project/$ref/functions/$slug/logs" params={params}>
            Logs
          </Link>
          <Link to="/project/$ref/functions/$slug/details" params={params}>
            Details
          </Link>
        </TabNav>
        <Outlet />
      </div>
    </Frame>
  )
}
