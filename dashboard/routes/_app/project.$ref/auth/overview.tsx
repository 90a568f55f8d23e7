import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { OverviewPage } from '../../../../features/auth/auth-users/OverviewPage.tsx'
import { daysOf, overviewQuery } from '../../../../features/auth/auth-users/queries.ts'
import { searchTexts } from '../../../../session/search-texts.ts'

export const Route = createFileRoute('/_app/project/$ref/auth/overview')({
  staticData: { title: 'Overview' },
  validateSearch: (search: Record<string, unknown>) => searchTexts(search, ['days']),
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
