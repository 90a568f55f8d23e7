import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../../api/client.ts'
import { ExplorerPage } from '../../../../../features/storage/storage/files/ExplorerPage.tsx'
import { explorerParams } from '../../../../../features/storage/storage/files/explorer-state.ts'
import { bucketQuery } from '../../../../../features/storage/storage/queries.ts'

export const Route = createFileRoute('/_app/project/$ref/storage/files/$bucket')({
  staticData: { title: 'Files' },
  validateSearch: explorerParams,
  loader: ({ params: { ref, bucket } }) => void queryClient.prefetchQuery(bucketQuery(ref, bucket)),
  component: Page,
})

function Page() {
  const { ref, bucket } = Route.useParams()
  return <ExplorerPage projectRef={ref} bucket={bucket} search={Route.useSearch()} home="files" />
}
