import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { TriggersPage } from '../../../../features/database/database-triggers/TriggersPage.tsx'
import {
  readTriggerSearch,
  type TriggerSearch,
} from '../../../../features/database/database-triggers/search.ts'
import { triggersQuery } from '../../../../modules/objects/triggers.ts'

export const Route = createFileRoute('/_app/project/$ref/database/triggers')({
  staticData: { title: 'Triggers' },
  validateSearch: (search: Record<string, unknown>): TriggerSearch => readTriggerSearch(search),
  loaderDeps: ({ search: { schema = 'public' } }) => ({ schema }),
  loader: ({ params: { ref }, deps: { schema } }) => {
    // Shown where it is missing; it does not hold up the page.
    void queryClient.prefetchQuery(triggersQuery(ref, schema))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <TriggersPage
      projectRef={ref}
      search={search}
      onSearch={(next) => void navigate({ search: readTriggerSearch(next), replace: true })}
    />
  )
}
