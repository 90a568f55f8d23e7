import { createFileRoute } from '@tanstack/react-router'
import { GeneralPage } from '../../../../features/organizations/organization-settings/GeneralPage.tsx'

export const Route = createFileRoute('/_app/org/$slug/_settings/general')({
  staticData: { title: 'General settings' },
  component: Page,
})

function Page() {
  const { slug } = Route.useParams()
  const navigate = Route.useNavigate()
  return <GeneralPage key={slug} slug={slug} onDeleted={() => navigate({ to: '/organizations' })} />
}
