import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import {
  performanceParams,
  statementsQuery,
} from '../../../../features/observability/query-performance/queries.ts'
import { QueryPerformancePage } from '../../../../features/observability/query-performance/QueryPerformancePage.tsx'

export const Route = createFileRoute('/_app/project/$ref/reports/query-performance')({
  staticData: { title: 'Query performance', feature: 'reports:all' },
  validateSearch: performanceParams,
  loaderDeps: ({ search: { statement: _open, ...filter } }) => ({ filter }),
  loader: ({ params: { ref }, deps: { filter } }) =>
    void queryClient.prefetchQuery(statementsQuery(ref, filter)),
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <QueryPerformancePage
      projectRef={Route.useParams().ref}
      filter={Route.useSearch()}
      onFilter={(next) => void navigate({ search: performanceParams(next), replace: true })}
    />
  )
}
