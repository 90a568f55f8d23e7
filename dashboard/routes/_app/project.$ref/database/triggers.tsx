import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { eventTriggers } from '../../../../features/database/database-triggers/event-triggers.tsx'
import { triggers } from '../../../../features/database/database-triggers/triggers.tsx'
import { triggersQuery } from '../../../../modules/objects/lists.ts'
import { objectRoute } from '../../../../modules/objects/object-route.ts'
import { ObjectsPage } from '../../../../modules/objects/list/ObjectsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/database/triggers')({
  staticData: { title: 'Triggers' },
  ...objectRoute('schema', 'find', 'tab'),
  loader: ({ params: { ref }, deps: { schema } }) => {
    void queryClient.prefetchQuery(triggersQuery(ref, schema))
  },
  component: Page,
})

function Page() {
  const { tab } = Route.useSearch()
  return tab === 'events' ? (
    <ObjectsPage key="events" of={eventTriggers} />
  ) : (
    <ObjectsPage key="tables" of={triggers} />
  )
}
