import { createFileRoute } from '@tanstack/react-router'
import { RecentPage } from '../../../../../features/observability/logs-explorer/RecentPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/logs/explorer/recent')({
  staticData: { title: 'Recent log queries' },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  return <RecentPage key={ref} projectRef={ref} />
}
