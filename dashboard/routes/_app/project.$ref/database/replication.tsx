import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { replicationQuery } from '../../../../features/database/replication/queries.ts'
import { ReplicationPage } from '../../../../features/database/replication/ReplicationPage.tsx'
import { publicationsQuery } from '../../../../modules/objects/lists.ts'
import { replicasQuery } from '../../../../session/project/replicas.ts'
import { textParams } from '../../../../session/search-params.ts'

const readSearch = textParams('q')

export const Route = createFileRoute('/_app/project/$ref/database/replication')({
  staticData: { feature: 'database:replication', title: 'Replication' },
  validateSearch: readSearch,
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(replicationQuery(ref))
    void queryClient.prefetchQuery(publicationsQuery(ref))
    void queryClient.prefetchQuery(replicasQuery(ref))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { q = '' } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ReplicationPage
      projectRef={ref}
      search={q}
      onSearch={(next) => void navigate({ search: readSearch({ q: next }), replace: true })}
    />
  )
}
