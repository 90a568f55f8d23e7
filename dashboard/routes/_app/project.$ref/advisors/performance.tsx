import { createFileRoute } from '@tanstack/react-router'
import { AdvisorPage } from '../../../../features/observability/advisors/AdvisorPage.tsx'
import { advisorParams } from '../../../../features/observability/advisors/search.ts'
import { readFindings } from '../../../../features/observability/advisors/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/advisors/performance')({
  staticData: { title: 'Performance advisor' },
  validateSearch: advisorParams,
  loader: readFindings,
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <AdvisorPage
      projectRef={Route.useParams().ref}
      category="PERFORMANCE"
      filter={Route.useSearch()}
      onFilter={(next) => void navigate({ search: advisorParams(next), replace: true })}
    />
  )
}
