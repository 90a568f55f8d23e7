import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { RunningQueriesPage } from '../../../../features/observability/running-queries/RunningQueriesPage.tsx'
import { sessionsQuery } from '../../../../modules/running/sessions.ts'
import { textParams } from '../../../../session/search-params.ts'

const readSearch = textParams('q', 'show')

export const Route = createFileRoute('/_app/project/$ref/database/queries')({
  staticData: { title: 'Running queries' },
  validateSearch: readSearch,
  loader: ({ params: { ref } }) => void queryClient.prefetchQuery(sessionsQuery(ref)),
  component: Page,
})

function Page() {
  const navigate = Route.useNavigate()
  return (
    <RunningQueriesPage
      projectRef={Route.useParams().ref}
      filter={Route.useSearch()}
      onFilter={(next) => void navigate({ search: readSearch(next), replace: true })}
    />
  )
}
