import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import { ExplorerPage } from '../../../../../features/observability/logs-explorer/ExplorerPage.tsx'
import { explorerParams } from '../../../../../features/observability/logs-explorer/explorer-params.ts'
import { aboutQuery } from '../../../../../modules/logs/asked.ts'

export const Route = createFileRoute('/_app/project/$ref/logs/explorer/')({
  staticData: { title: 'Logs explorer' },
  validateSearch: explorerParams,
  loader: ({ params: { ref } }) => void queryClient.prefetchQuery(aboutQuery(ref)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <ExplorerPage
      key={ref}
      projectRef={ref}
      params={Route.useSearch()}
      onParams={(next) => void navigate({ search: explorerParams(next), replace: true })}
    />
  )
}
