import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import { queueQuery } from '../../../../../features/integrations/queues/queries.ts'
import { QueuePage } from '../../../../../features/integrations/queues/QueuePage.tsx'
import { readQueueSearch } from '../../../../../features/integrations/queues/search.ts'

export const Route = createFileRoute('/_app/project/$ref/integrations/queues/$name')({
  staticData: { title: 'Queue' },
  validateSearch: readQueueSearch,
  loader: ({ params: { ref, name } }) => {
    void queryClient.prefetchQuery(queueQuery(ref, name))
  },
  component: Page,
})

function Page() {
  const { ref, name } = Route.useParams()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <QueuePage
      key={name}
      projectRef={ref}
      name={name}
      search={search}
      onSearch={(next) => void navigate({ search: readQueueSearch(next), replace: true })}
    />
  )
}
