import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { DrainsPage } from '../../../../features/observability/log-drains/DrainsPage.tsx'
import { drainsQuery } from '../../../../features/observability/log-drains/queries.ts'
import { useOrganization } from '../../../../session/organization/organizations.ts'
import { useProject } from '../../../../session/project/project.ts'

export const Route = createFileRoute('/_app/project/$ref/settings/log-drains')({
  staticData: {
    title: 'Log drains',
    withoutDatabase: true,
    feature: 'project_settings:log_drains',
  },
  loader: ({ params: { ref } }) => queryClient.prefetchQuery(drainsQuery({ ref })),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const project = useProject(ref)
  const { slug, plan } = useOrganization(project.organizationSlug)
  return <DrainsPage key={ref} owner={{ ref }} slug={slug} plan={plan} target={project} />
}
