import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { ComputePage } from '../../../../features/projects/compute/ComputePage.tsx'
import { computeQuery } from '../../../../features/projects/compute/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/settings/compute-and-disk')({
  staticData: { title: 'Compute and disk', withoutDatabase: true },
  loader: ({ params: { ref } }) => queryClient.prefetchQuery(computeQuery(ref)),
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  return <ComputePage key={ref} projectRef={ref} />
}
