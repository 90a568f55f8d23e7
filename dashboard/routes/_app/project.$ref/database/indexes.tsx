import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { IndexesPage } from '../../../../features/database/indexes/IndexesPage.tsx'
import { indexesQuery } from '../../../../features/database/indexes/queries.ts'
import { searchTexts } from '../../../../session/search-texts.ts'

export const Route = createFileRoute('/_app/project/$ref/database/indexes')({
  staticData: { title: 'Indexes' },
  validateSearch: (search: Record<string, unknown>) => searchTexts(search, ['schema', 'q', 'mark']),
  loaderDeps: ({ search: { schema = 'public' } }) => ({ schema }),
  loader: ({ params: { ref }, deps: { schema } }) =>
    void queryClient.prefetchQuery(indexesQuery(ref, schema)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const navigate = Route.useNavigate()
  return (
    <IndexesPage
      projectRef={ref}
      filter={Route.useSearch()}
      onFilter={(next) =>
        void navigate({ search: searchTexts(next, ['schema', 'q', 'mark']), replace: true })
      }
    />
  )
}
