import { createFileRoute } from '@tanstack/react-router'
import { OrganizationsPage } from '../../features/organizations/organizations/OrganizationsPage.tsx'

export const Route = createFileRoute('/_app/organizations')({
  staticData: { title: 'Organizations' },
  validateSearch: (search: Record<string, unknown>): { error?: string; org?: string } => ({
    ...(typeof search.error === 'string' ? { error: search.error } : {}),
    ...(typeof search.org === 'string' ? { org: search.org } : {}),
  }),
  component: Page,
})

function Page() {
  const { error, org } = Route.useSearch()
  return <OrganizationsPage notFound={error === 'org_not_found' ? (org ?? '') : undefined} />
}
