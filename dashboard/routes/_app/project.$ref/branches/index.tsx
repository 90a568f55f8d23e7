import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { BranchesPage } from '../../../../features/projects/branches/BranchesPage.tsx'
import { useOrganization } from '../../../../session/organization/organizations.ts'
import { branchesQuery } from '../../../../session/project/branches.ts'
import { useProject } from '../../../../session/project/project.ts'

export const Route = createFileRoute('/_app/project/$ref/branches/')({
  staticData: { title: 'Branches', withoutDatabase: true },
  loader: ({ params: { ref } }) => {
    void queryClient.prefetchQuery(branchesQuery(ref))
  },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  const { plan } = useOrganization(useProject(ref).organizationSlug)
  return <BranchesPage key={ref} projectRef={ref} plan={plan} />
}
