import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import {
  exceptionsQuery,
  lintsQuery,
} from '../../../../../features/observability/advisors/queries.ts'
import { RulesPage } from '../../../../../features/observability/advisors/RulesPage.tsx'
import { textParams } from '../../../../../session/search-params.ts'

const readSearch = textParams('q')

export const Route = createFileRoute('/_app/project/$ref/advisors/rules/performance')({
  staticData: { title: 'Performance rules' },
  validateSearch: readSearch,
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(lintsQuery(ref))
    void queryClient.prefetchQuery(exceptionsQuery(ref))
  },
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <RulesPage
      projectRef={Route.useParams().ref}
      category="PERFORMANCE"
      search={Route.useSearch().q ?? ''}
      onSearch={(q) => void navigate({ search: readSearch({ q }), replace: true })}
    />
  )
}
