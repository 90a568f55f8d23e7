import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { guardedTablesQuery } from '../../../../features/database/policies/queries.ts'
import { StoragePoliciesPage } from '../../../../features/database/policies/StoragePoliciesPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/storage/policies')({
  staticData: { title: 'Storage policies' },
  loader: ({ params: { ref } }) => {
    // Shown where it is missing; it does not hold up the page.
    void queryClient.prefetchInfiniteQuery(guardedTablesQuery(ref, 'storage', ''))
  },
  component: Page,
})

function Page() {
  return <StoragePoliciesPage projectRef={Route.useParams().ref} />
}
