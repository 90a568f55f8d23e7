import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import { queuesQuery } from '../../../../../features/integrations/queues/queries.ts'
import { QueuesPage } from '../../../../../features/integrations/queues/QueuesPage.tsx'
import { textParams } from '../../../../../session/search-params.ts'

const readSearch = textParams('q')

export const Route = createFileRoute('/_app/project/$ref/integrations/queues/')({
  staticData: { title: 'Queues' },
  validateSearch: readSearch,
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(queuesQuery(ref))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { q = '' } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <QueuesPage
      projectRef={ref}
      search={q}
      onSearch={(next) => void navigate({ search: readSearch({ q: next }), replace: true })}
    />
  )
}
