import { createFileRoute } from '@tanstack/react-router'
import { OrganizationsPage } from '../../features/organizations/organizations/OrganizationsPage.tsx'
import { textParams } from '../../session/search-params.ts'

const readSearch = textParams('error', 'org')

export const Route = createFileRoute('/_app/organizations')({
  staticData: { title: 'Organizations' },
  validateSearch: readSearch,
  component: Page,
})

function Page() {
  const { error, org } = Route.useSearch()
  return <OrganizationsPage notFound={error === 'org_not_found' ? (org ?? '') : undefined} />
}
