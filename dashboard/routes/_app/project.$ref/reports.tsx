import { createFileRoute } from '@tanstack/react-router'
import { reportPlaces } from '../../../shell/report-places.ts'
import { SettingsLayout } from '../../../shell/SettingsLayout.tsx'

/** How a project is used over time: the reports in the second column, and the one that is open. */
export const Route = createFileRoute('/_app/project/$ref/reports')({
  staticData: { feature: 'reports:all', withoutDatabase: true },
  component: Page,
})

function Page() {
  return <SettingsLayout title="Reports" groups={reportPlaces(Route.useParams().ref)} />
}
