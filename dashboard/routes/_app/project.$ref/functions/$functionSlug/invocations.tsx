import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { functionQuery } from '../../../../../features/functions/functions/queries.ts'
import { FunctionLogs } from '../../../../../features/observability/logs/LogsPage.tsx'
import { logParams } from '../../../../../features/observability/logs/question.ts'

export const Route = createFileRoute('/_app/project/$ref/functions/$functionSlug/invocations')({
  staticData: { title: 'Invocations', feature: 'logs:all', withoutDatabase: true },
  validateSearch: logParams,
  component: Page,
})

function Page() {
  const { ref, functionSlug } = Route.useParams()
  const navigate = Route.useNavigate()
  const { data } = useQuery(functionQuery(ref, functionSlug))
  const search = Route.useSearch()
  return (
    data && (
      <FunctionLogs
        projectRef={ref}
        functionId={data.id}
        source="function_edge_logs"
        params={search}
        onParams={(next) =>
          void navigate({ search: logParams(next), replace: true, resetScroll: false })
        }
      />
    )
  )
}
