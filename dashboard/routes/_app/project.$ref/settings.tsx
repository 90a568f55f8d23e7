import { createFileRoute } from '@tanstack/react-router'
import { settingsPages } from '../../../shell/places.ts'
import { SettingsLayout } from '../../../shell/SettingsLayout.tsx'

/** The settings of a project: the second column, and the page that is open. */
export const Route = createFileRoute('/_app/project/$ref/settings')({ component: Page })

function Page() {
  const { ref } = Route.useParams()
  return <SettingsLayout title="Project settings" groups={settingsPages(ref)} />
}
