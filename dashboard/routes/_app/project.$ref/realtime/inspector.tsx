import { createFileRoute } from '@tanstack/react-router'
import { InspectorPage } from '../../../../features/realtime/realtime/InspectorPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/realtime/inspector')({
  staticData: { title: 'Realtime inspector' },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  // Another project is another connection.
  return <InspectorPage key={ref} projectRef={ref} />
}
