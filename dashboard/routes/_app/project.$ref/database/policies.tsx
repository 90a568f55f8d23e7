import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { PoliciesPage } from '../../../../features/database/policies/PoliciesPage.tsx'
import { guardedTablesQuery } from '../../../../features/database/policies/queries.ts'
import { readPoliciesSearch } from '../../../../features/database/policies/search.ts'

export const Route = createFileRoute('/_app/project/$ref/database/policies')({
  staticData: { title: 'Policies' },
  validateSearch: readPoliciesSearch,
  loaderDeps: ({ search: { schema = 'public', find = '' } }) => ({ schema, find }),
  loader: ({ params: { ref }, deps: { schema, find } }) => {
    // Shown where it is missing; it does not hold up the page.
    void queryClient.prefetchInfiniteQuery(guardedTablesQuery(ref, schema, find.trim()))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <PoliciesPage
      projectRef={ref}
      search={search}
      onSearch={(next) => void navigate({ search: readPoliciesSearch(next), replace: true })}
    />
  )
}
