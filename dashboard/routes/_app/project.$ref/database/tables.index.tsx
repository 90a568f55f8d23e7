import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { readTablesSearch } from '../../../../features/database/tables/table-words.ts'
import { TablesPage } from '../../../../features/database/tables/TablesPage.tsx'
import { tableListQuery } from '../../../../modules/tables/table-queries.ts'

export const Route = createFileRoute('/_app/project/$ref/database/tables/')({
  staticData: { title: 'Tables' },
  validateSearch: readTablesSearch,
  loaderDeps: ({ search: { schema = 'public' } }) => ({ schema }),
  loader: ({ params: { ref }, deps: { schema } }) => {
    // Shown where it is missing; it does not hold up the page.
    void queryClient.prefetchQuery(tableListQuery(ref, schema))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <TablesPage
      projectRef={ref}
      search={search}
      onSearch={(next) => navigate({ search: readTablesSearch(next), replace: true })}
    />
  )
}
