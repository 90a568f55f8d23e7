import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { settingsQuery } from '../../../../features/storage/storage/queries.ts'
import { StorageSettingsPage } from '../../../../features/storage/storage/StorageSettingsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/storage/settings')({
  staticData: { title: 'Storage settings', withoutDatabase: true },
  loader: ({ params: { ref } }) => queryClient.prefetchQuery(settingsQuery(ref)),
  component: Page,
})

function Page() {
  return <StorageSettingsPage projectRef={Route.useParams().ref} />
}
