import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { OverviewPage } from '../../../../features/auth/auth-users/OverviewPage.tsx'
import { daysOf, overviewQuery } from '../../../../features/auth/auth-users/queries.ts'
import { textParams } from '../../../../session/search-params.ts'

const readSearch = textParams('days')

export const Route = createFileRoute('/_app/project/$ref/auth/overview')({
  staticData: { title: 'Overview' },
  validateSearch: readSearch,
  loaderDeps: ({ search: { days } }) => ({ days }),
  loader: ({ params: { ref }, deps: { days } }) =>
    void queryClient.prefetchQuery(overviewQuery(ref, daysOf(days))),
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <OverviewPage
      projectRef={Route.useParams().ref}
      days={Route.useSearch().days}
      onDays={(days) => void navigate({ search: { days }, replace: true })}
    />
  )
}
