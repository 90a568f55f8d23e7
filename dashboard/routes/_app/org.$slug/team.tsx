import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../api/client.ts'
import { membersQuery, rolesQuery } from '../../../features/organizations/team/queries.ts'
import { TeamPage } from '../../../features/organizations/team/TeamPage.tsx'
import { flag, searchParams } from '../../../session/search-params.ts'

const readSearch = searchParams({ invite: flag })

export const Route = createFileRoute('/_app/org/$slug/team')({
  staticData: { title: 'Team' },
  validateSearch: readSearch,
  // What fails here is shown in the page, with a way to try again.
  loader: ({ params: { slug } }) =>
    Promise.all([
      queryClient.prefetchQuery(membersQuery(slug)),
      queryClient.prefetchQuery(rolesQuery(slug)),
    ]),
  component: Page,
})

function Page() {
  const { slug } = Route.useParams()
  const navigate = Route.useNavigate()
  const { invite = false } = Route.useSearch()
  return (
    <TeamPage
      key={slug}
      slug={slug}
      isInviting={invite}
      onLeft={() => navigate({ to: '/organizations' })}
    />
  )
}
