import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import { PublicationPage } from '../../../../../features/database/publications/PublicationPage.tsx'
import {
  publicationQuery,
  tablesQuery,
} from '../../../../../features/database/publications/queries.ts'
import { textParams } from '../../../../../session/search-params.ts'

const readSearch = textParams('schema', 'q')

export const Route = createFileRoute('/_app/project/$ref/database/publications/$id')({
  staticData: { title: 'Publication' },
  validateSearch: readSearch,
  loaderDeps: ({ search: { schema = 'public', q = '' } }) => ({ schema, q }),
  loader: ({ params: { ref, id }, deps: { schema, q } }) => {
    void queryClient.prefetchQuery(publicationQuery(ref, Number(id)))
    void queryClient.prefetchQuery(tablesQuery(ref, schema, q))
  },
  component: Page,
})

function Page() {
  const { ref, id } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <PublicationPage
      projectRef={ref}
      id={Number(id)}
      filter={Route.useSearch()}
      onFilter={(next) => void navigate({ search: readSearch(next), replace: true })}
      onDeleted={() => navigate({ to: '/project/$ref/database/publications', params: { ref } })}
    />
  )
}
