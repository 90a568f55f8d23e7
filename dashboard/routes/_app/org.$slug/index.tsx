import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../api/client.ts'
import { ProjectsPage } from '../../../features/projects/projects/ProjectsPage.tsx'
import { MfaNeeded } from '../../../features/organizations/team/MfaNeeded.tsx'
import { favoritesQuery } from '../../../modules/favorites/FavoriteButton.tsx'
import { isLocked, loadOrganization } from '../../../session/organization/organizations.ts'
import { organizationProjectsQuery } from '../../../session/project/project-lists.ts'
import { oneOf, searchParams } from '../../../session/search-params.ts'

const readSearch = searchParams({ view: oneOf('table') })

export const Route = createFileRoute('/_app/org/$slug/')({
  staticData: { title: 'Projects' },
  validateSearch: readSearch,
  // What fails here is shown in the page, with a way to try again.
  loader: async ({ params: { slug }, preload }) => {
    const organization = await loadOrganization(slug, { preload, withoutFactor: true })
    if (await isLocked(organization)) return { locked: true }
    await Promise.all([
      queryClient.prefetchInfiniteQuery(organizationProjectsQuery(slug)),
      queryClient.prefetchQuery(favoritesQuery),
    ])
    return { locked: false }
  },
  component: Page,
})

function Page() {
  const { slug } = Route.useParams()
  const { view = 'cards' } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { locked } = Route.useLoaderData()
  if (locked) return <MfaNeeded slug={slug} />
  return (
    <ProjectsPage
      // What was typed into the search belongs to one organization.
      key={slug}
      slug={slug}
      view={view}
      onView={(next) =>
        void navigate({ search: next === 'table' ? { view: next } : {}, replace: true })
      }
    />
  )
}
