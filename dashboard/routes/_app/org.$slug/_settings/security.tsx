import { createFileRoute } from '@tanstack/react-router'
import { members } from '#contract/organizations/members'
import { q, queryClient } from '../../../../api/client.ts'
import { shownFactorQuery } from '../../../../features/organizations/organization-settings/queries.ts'
import { SecurityPage } from '../../../../features/organizations/organization-settings/SecurityPage.tsx'

export const Route = createFileRoute('/_app/org/$slug/_settings/security')({
  staticData: { feature: 'organization:show_security_settings', title: 'Security settings' },
  loader: ({ params: { slug } }) =>
    Promise.all([
      queryClient.prefetchQuery(q(members.list, { slug })),
      queryClient.prefetchQuery(shownFactorQuery),
    ]),
  component: Page,
})

function Page() {
  const { slug } = Route.useParams()
  return <SecurityPage slug={slug} />
}
