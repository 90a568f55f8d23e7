import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { settingsQuery } from '../../../../features/storage/storage/queries.ts'
import { S3Page } from '../../../../features/storage/storage/S3Page.tsx'

export const Route = createFileRoute('/_app/project/$ref/storage/s3')({
  staticData: { title: 'S3', withoutDatabase: true },
  loader: ({ params: { ref } }) => queryClient.prefetchQuery(settingsQuery(ref)),
  component: Page,
})

function Page() {
  return <S3Page projectRef={Route.useParams().ref} />
}
