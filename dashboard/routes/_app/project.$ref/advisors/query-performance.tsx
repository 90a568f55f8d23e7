import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import {
  performanceParams,
  statementsQuery,
} from '../../../../features/observability/query-performance/queries.ts'
import { QueryPerformancePage } from '../../../../features/observability/query-performance/QueryPerformancePage.tsx'
import { searchTexts } from '../../../../session/search-texts.ts'

export const Route = createFileRoute('/_app/project/$ref/advisors/query-performance')({
  staticData: { title: 'Query performance' },
  validateSearch: (search: Record<string, unknown>) => searchTexts(search, performanceParams),
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
      onFilter={(next) =>
        void navigate({ search: searchTexts(next, performanceParams), replace: true })
      }
    />
  )
}
