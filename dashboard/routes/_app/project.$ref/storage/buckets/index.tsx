import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import { BucketsPage } from '../../../../../features/storage/storage/buckets/BucketsPage.tsx'
import { bucketsQuery } from '../../../../../features/storage/storage/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/storage/buckets/')({
  staticData: { title: 'Buckets' },
  loader: ({ params: { ref } }) => void queryClient.prefetchQuery(bucketsQuery(ref)),
  component: Page,
})

function Page() {
  return <BucketsPage projectRef={Route.useParams().ref} home="buckets" />
}
