import { createFileRoute } from '@tanstack/react-router'
import { EventsPage } from '../../../../../features/functions/functions/EventsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/functions/$functionSlug/logs')({
  staticData: { title: 'Logs', withoutDatabase: true },
  component: Page,
})

function Page() {
  const { ref, functionSlug } = Route.useParams()
  return <EventsPage projectRef={ref} slug={functionSlug} kind="log" />
}
