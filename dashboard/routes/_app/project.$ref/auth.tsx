import { createFileRoute } from '@tanstack/react-router'
import { authPages } from '../../../shell/places.ts'
import { SettingsLayout } from '../../../shell/SettingsLayout.tsx'

/** The pages about a project's users and what they may do: the second column, and the page that is open. */
export const Route = createFileRoute('/_app/project/$ref/auth')({
  staticData: { feature: 'project_auth:all' },
  component: Page,
})

function Page() {
  const { ref } = Route.useParams()
  return <SettingsLayout title="Authentication" groups={authPages(ref)} />
}
