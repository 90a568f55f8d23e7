import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import { PublicationPage } from '../../../../../features/database/publications/PublicationPage.tsx'
import {
  publicationQuery,
  tablesQuery,
} from '../../../../../features/database/publications/queries.ts'
import { searchTexts } from '../../../../../session/search-texts.ts'

export const Route = createFileRoute('/_app/project/$ref/database/publications/$id')({
  staticData: { title: 'Publication' },
  validateSearch: (search: Record<string, unknown>) => searchTexts(search, ['schema', 'q']),
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
      onFilter={(next) =>
        void navigate({ search: searchTexts(next, ['schema', 'q']), replace: true })
      }
      onDeleted={() =>
        void navigate({ to: '/project/$ref/database/publications', params: { ref } })
      }
    />
  )
}
