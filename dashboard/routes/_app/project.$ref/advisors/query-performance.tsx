import { createFileRoute } from '@tanstack/react-router'
import {
  performanceParams,
  performanceRoute,
} from '../../../../features/observability/query-performance/queries.ts'
import { QueryPerformancePage } from '../../../../features/observability/query-performance/QueryPerformancePage.tsx'

export const Route = createFileRoute('/_app/project/$ref/advisors/query-performance')({
  staticData: { title: 'Query performance' },
  ...performanceRoute,
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
