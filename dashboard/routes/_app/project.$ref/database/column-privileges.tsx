import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { ColumnPrivilegesPage } from '../../../../features/database/column-privileges/ColumnPrivilegesPage.tsx'
import { tablesQuery } from '../../../../features/database/column-privileges/queries.ts'
import { readPrivilegeSearch } from '../../../../features/database/column-privileges/search.ts'

export const Route = createFileRoute('/_app/project/$ref/database/column-privileges')({
  staticData: { title: 'Column privileges', preview: 'supabase-ui-cls' },
  validateSearch: readPrivilegeSearch,
  loaderDeps: ({ search: { schema = 'public' } }) => ({ schema }),
  loader: ({ params: { ref }, deps: { schema } }) => {
    // Shown where it is missing; it does not hold up the page.
    void queryClient.prefetchQuery(tablesQuery(ref, schema, ''))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <ColumnPrivilegesPage
      projectRef={ref}
      search={search}
      onSearch={(next) => void navigate({ search: readPrivilegeSearch(next), replace: true })}
    />
  )
}
