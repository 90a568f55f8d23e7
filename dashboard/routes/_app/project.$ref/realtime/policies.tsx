import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { ChannelPoliciesPage } from '../../../../features/database/policies/ChannelPoliciesPage.tsx'
import { channelTableQuery } from '../../../../features/database/policies/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/realtime/policies')({
  staticData: { title: 'Realtime policies' },
  loader: ({ params: { ref } }) => {
    // Shown where it is missing; it does not hold up the page.
    void queryClient.prefetchInfiniteQuery(channelTableQuery(ref))
  },
  component: Page,
})

function Page() {
  return <ChannelPoliciesPage projectRef={Route.useParams().ref} />
}
