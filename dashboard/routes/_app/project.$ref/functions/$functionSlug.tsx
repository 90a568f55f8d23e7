import { createFileRoute, Link, Outlet } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { FunctionFrame } from '../../../../features/functions/functions/FunctionFrame.tsx'
import { functionQuery } from '../../../../features/functions/functions/queries.ts'
import { useHasRoute } from '../../../../session/organization/has-route.ts'
import { TabNav } from '../../../../ui/navigation/Tabs.tsx'

/** The pages of one function under one head. */
export const Route = createFileRoute('/_app/project/$ref/functions/$functionSlug')({
  staticData: { title: 'Edge function', withoutDatabase: true },
  loader: ({ params: { ref, functionSlug } }) =>
    queryClient.prefetchQuery(functionQuery(ref, functionSlug)),
  component: Page,
})

function Page() {
  const { ref, functionSlug } = Route.useParams()
  const params = { ref, functionSlug }
  const hasLogs = useHasRoute()('/project/$ref/functions/$functionSlug/logs')
  return (
    <FunctionFrame projectRef={ref} slug={functionSlug}>
      <TabNav label="Pages of the function">
        <Link
          to="/project/$ref/functions/$functionSlug"
          params={params}
          activeOptions={{ exact: true, includeSearch: false }}
        >
          Overview
        </Link>
        <Link to="/project/$ref/functions/$functionSlug/code" params={params}>
          Code
        </Link>
        <Link to="/project/$ref/functions/$functionSlug/deployments" params={params}>
          Deployments
        </Link>
        {hasLogs && (
          <>
            <Link to="/project/$ref/functions/$functionSlug/invocations" params={params}>
              Invocations
            </Link>
            <Link to="/project/$ref/functions/$functionSlug/logs" params={params}>
              Logs
            </Link>
          </>
        )}
        <Link to="/project/$ref/functions/$functionSlug/details" params={params}>
          Details
        </Link>
      </TabNav>
      <Outlet />
    </FunctionFrame>
  )
}
