import { createFileRoute } from '@tanstack/react-router'
import { EventsPage } from '../../../../../features/functions/EventsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/functions/$slug/invocations')({
  staticData: { title: 'Invocations', withoutDatabase: true },
  component: Page,
})

function Page() {
  const { ref, slug } = Route.useParams()
  return <EventsPage projectRef={ref} slug={slug} kind="invocation" />
}
