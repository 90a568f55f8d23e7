import { createFileRoute } from '@tanstack/react-router'
import { forget, queryClient } from '../../../api/client.ts'
import { membersQuery, rolesQuery } from '../../../features/organizations/team/queries.ts'
import { TeamPage } from '../../../features/organizations/team/TeamPage.tsx'
import { organizations } from '#contract/organizations/organizations'
import { profile } from '#contract/people/profile'
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
  // Elsewhere first: the page cannot stay where its organization is not to be found any more.
  const leave = async () => {
    await navigate({ to: '/organizations' })
    await forget(organizations.list, profile.permissions)
  }
  const { invite = false } = Route.useSearch()
  return <TeamPage key={slug} slug={slug} isInviting={invite} onLeft={() => void leave()} />
}
