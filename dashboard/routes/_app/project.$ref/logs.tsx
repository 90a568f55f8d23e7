import { createFileRoute } from '@tanstack/react-router'
import { logPages } from '../../../shell/log-places.ts'
import { unifiedLogs } from '../../../session/telemetry/preview-list.ts'
import { usePreview } from '../../../session/telemetry/previews.ts'
import { SettingsLayout } from '../../../shell/SettingsLayout.tsx'

/** What the services of a project have written: the sources in the second column, and the one that is open. */
export const Route = createFileRoute('/_app/project/$ref/logs')({
  staticData: { feature: 'logs:all', withoutDatabase: true },
  component: Page,
})

function Page() {
  const isUnified = usePreview(unifiedLogs)
  return <SettingsLayout title="Logs" groups={logPages(Route.useParams().ref, isUnified)} />
}
