import { createFileRoute } from '@tanstack/react-router'
import { readFindings } from '../../../../../features/observability/advisors/queries.ts'
import { RulesPage } from '../../../../../features/observability/advisors/RulesPage.tsx'
import { textParams } from '../../../../../session/search-params.ts'

const readSearch = textParams('q')

export const Route = createFileRoute('/_app/project/$ref/advisors/rules/security')({
  staticData: { title: 'Security rules' },
  validateSearch: readSearch,
  loader: readFindings,
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <RulesPage
      projectRef={Route.useParams().ref}
      category="SECURITY"
      search={Route.useSearch().q ?? ''}
      onSearch={(q) => void navigate({ search: readSearch({ q }), replace: true })}
    />
  )
}
