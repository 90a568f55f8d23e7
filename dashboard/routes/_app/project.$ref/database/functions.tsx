import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { FunctionsPage } from '../../../../features/database/database-functions/FunctionsPage.tsx'
import { functionsQuery } from '../../../../features/database/database-functions/queries.ts'
import { readObjectSearch, type ObjectSearch } from '../../../../modules/objects/schemas.ts'

export const Route = createFileRoute('/_app/project/$ref/database/functions')({
  staticData: { title: 'Functions' },
  validateSearch: (search: Record<string, unknown>): ObjectSearch => readObjectSearch(search),
  loaderDeps: ({ search: { schema = 'public' } }) => ({ schema }),
  loader: ({ params: { ref }, deps: { schema } }) => {
    // Shown where it is missing; it does not hold up the page.
    void queryClient.prefetchQuery(functionsQuery(ref, schema))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <FunctionsPage
      projectRef={ref}
      search={search}
      onSearch={(next) => void navigate({ search: readObjectSearch(next), replace: true })}
    />
  )
}
