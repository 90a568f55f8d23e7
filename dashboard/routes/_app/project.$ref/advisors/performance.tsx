import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { AdvisorPage } from '../../../../features/observability/advisors/AdvisorPage.tsx'
import { advisorParams } from '../../../../features/observability/advisors/findings.ts'
import { exceptionsQuery, lintsQuery } from '../../../../features/observability/advisors/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/advisors/performance')({
  staticData: { title: 'Performance advisor' },
  validateSearch: advisorParams,
  loader: ({ params: { ref } }) => {
    // Looking takes a moment in a large database; the page is there meanwhile.
    void queryClient.prefetchQuery(lintsQuery(ref))
    void queryClient.prefetchQuery(exceptionsQuery(ref))
  },
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
