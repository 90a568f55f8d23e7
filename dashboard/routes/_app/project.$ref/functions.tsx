import { createFileRoute } from '@tanstack/react-router'
import { functionPages } from '../../../shell/places.ts'
import { SettingsLayout } from '../../../shell/SettingsLayout.tsx'

/** The code that a project runs: the second column, and the page that is open. */
export const Route = createFileRoute('/_app/project/$ref/functions')({
  staticData: { feature: 'project_edge_function:all' },
  component: Page,
})

function Page() {
  return <SettingsLayout title="Edge functions" groups={functionPages(Route.useParams().ref)} />
}
