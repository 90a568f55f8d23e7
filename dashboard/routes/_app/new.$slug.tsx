import { createFileRoute } from '@tanstack/react-router'
import { NewProjectPage } from '../../features/projects/projects/NewProjectPage.tsx'
import { loadOrganization } from '../../session/organization/organizations.ts'
import { requestedPlanOf } from '../../session/organization/requested-plan.ts'

export const Route = createFileRoute('/_app/new/$slug')({
  staticData: { feature: 'projects:create', title: 'New project' },
  validateSearch: requestedPlanOf,
  loader: async ({ params, preload }) => {
    await loadOrganization(params.slug, { preload })
  },
  component: Page,
})

function Page() {
  const { slug } = Route.useParams()
  const { plan } = Route.useSearch()
  const navigate = Route.useNavigate()
  return (
    <NewProjectPage
      slug={slug}
      requested={plan}
      onOrganization={(next) =>
        void navigate({ params: { slug: next }, search: true, replace: true })
      }
      onCreated={(ref) => void navigate({ to: '/project/$ref', params: { ref } })}
      onCancel={() => void navigate({ to: '/org/$slug', params: { slug } })}
    />
  )
}
