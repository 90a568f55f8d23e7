import { createFileRoute } from '@tanstack/react-router'
import { realtimePages } from '../../../shell/places.ts'
import { SettingsLayout } from '../../../shell/SettingsLayout.tsx'

/** What clients hear at once: the second column, and the page that is open. */
export const Route = createFileRoute('/_app/project/$ref/realtime')({
  staticData: { feature: 'realtime:all' },
  component: Page,
})

function Page() {
  return <SettingsLayout title="Realtime" groups={realtimePages(Route.useParams().ref)} />
}
