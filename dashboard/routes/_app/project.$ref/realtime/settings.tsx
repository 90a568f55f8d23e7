import { createFileRoute } from '@tanstack/react-router'
import { queryClient } from '../../../../api/client.ts'
import { realtimeQuery } from '../../../../features/realtime/realtime/queries.ts'
import { RealtimeSettingsPage } from '../../../../features/realtime/realtime/RealtimeSettingsPage.tsx'

export const Route = createFileRoute('/_app/project/$ref/realtime/settings')({
  staticData: { title: 'Realtime settings', withoutDatabase: true },
  loader: ({ params: { ref } }) => queryClient.ensureQueryData(realtimeQuery(ref)),
  component: Page,
})

function Page() {
  return <RealtimeSettingsPage projectRef={Route.useParams().ref} />
}
