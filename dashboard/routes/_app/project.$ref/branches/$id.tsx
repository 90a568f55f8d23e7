import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { BranchPage } from '../../../../features/projects/branches/BranchPage.tsx'
import { branchesQuery } from '../../../../session/project/branches.ts'

export const Route = createFileRoute('/_app/project/$ref/branches/$id')({
  staticData: { title: 'Branch', withoutDatabase: true },
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(branchesQuery(ref))
  },
  component: Page,
})

function Page() {
  const { ref, id } = Route.useParams()
  return <BranchPage key={id} projectRef={ref} id={id} />
}
