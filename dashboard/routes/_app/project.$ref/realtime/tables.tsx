import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { ChangesPage } from '../../../../features/database/publications/ChangesPage.tsx'
import { tablesQuery } from '../../../../features/database/publications/queries.ts'
import { publicationsQuery } from '../../../../modules/objects/lists.ts'
import { textParams } from '../../../../session/search-params.ts'

const readSearch = textParams('schema', 'q')

export const Route = createFileRoute('/_app/project/$ref/realtime/tables')({
  staticData: { title: 'Realtime tables' },
  validateSearch: readSearch,
  loaderDeps: ({ search: { schema = 'public', q = '' } }) => ({ schema, q }),
  loader: ({ params: { ref }, deps: { schema, q } }) => {
    void queryClient.prefetchQuery(publicationsQuery(ref))
    void queryClient.prefetchQuery(tablesQuery(ref, schema, q))
  },
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <ChangesPage
      projectRef={Route.useParams().ref}
      filter={Route.useSearch()}
      onFilter={(next) => void navigate({ search: readSearch(next), replace: true })}
    />
  )
}
