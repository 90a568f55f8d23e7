import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { DomainsPage } from '../../../../features/projects/domains/DomainsPage.tsx'
import { domainsQuery } from '../../../../features/projects/domains/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/settings/custom-domains')({
  staticData: {
    title: 'Custom domains',
    withoutDatabase: true,
    feature: 'project_settings:custom_domains',
  },
  loader: ({ params: { ref } }) => queryClient.prefetchQuery(domainsQuery(ref)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  return <DomainsPage key={ref} projectRef={ref} />
}
