import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { DrainsPage } from '../../../../features/observability/log-drains/DrainsPage.tsx'
import { drainsQuery } from '../../../../features/observability/log-drains/queries.ts'
import { useOrganization } from '../../../../session/organization/organizations.ts'

export const Route = createFileRoute('/_app/org/$slug/_settings/audit-log-drains')({
  staticData: { title: 'Audit log drains', feature: 'project_settings:log_drains' },
  loader: ({ params: { slug } }) => queryClient.prefetchQuery(drainsQuery({ slug })),
  component: Page,
})

function Page() {
  const { slug } = Route.useParams()
  const { plan } = useOrganization(slug)
  return (
    <DrainsPage
      key={slug}
      owner={{ slug }}
      slug={slug}
      plan={plan}
      target={{ organizationSlug: slug }}
    />
  )
}
