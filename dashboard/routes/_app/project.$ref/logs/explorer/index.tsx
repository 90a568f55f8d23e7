import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import {
  ExplorerPage,
  SavedQuery,
} from '../../../../../features/observability/logs-explorer/ExplorerPage.tsx'
import {
  explorerParams,
  type ExplorerParams,
} from '../../../../../features/observability/logs-explorer/explorer-params.ts'
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
  const { saved, ...params } = Route.useSearch()
  const onParams = (next: ExplorerParams) =>
    void navigate({ search: explorerParams(next), replace: true })
  return saved === undefined ? (
    <ExplorerPage key={ref} projectRef={ref} {...{ params, onParams }} />
  ) : (
    <SavedQuery key={saved} projectRef={ref} params={{ ...params, saved }} onParams={onParams} />
  )
}
