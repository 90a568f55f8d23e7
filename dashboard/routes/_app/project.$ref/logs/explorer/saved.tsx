import { createFileRoute } from '@tanstack/react-router'
import { SavedPage } from '../../../../../features/observability/logs-explorer/SavedPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/logs/explorer/saved')({
  staticData: { title: 'Saved log queries' },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  return <SavedPage key={ref} projectRef={ref} />
}
