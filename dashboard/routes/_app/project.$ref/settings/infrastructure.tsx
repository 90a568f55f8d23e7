import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { InfrastructurePage } from '../../../../features/projects/infrastructure/InfrastructurePage.tsx'
import { versionsQuery } from '../../../../features/projects/infrastructure/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/settings/infrastructure')({
  staticData: { title: 'Infrastructure', withoutDatabase: true },
  loader: ({ params: { ref } }) => queryClient.prefetchQuery(versionsQuery(ref)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  return <InfrastructurePage key={ref} projectRef={ref} />
}
