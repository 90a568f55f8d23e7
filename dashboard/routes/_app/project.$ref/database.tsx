import { createFileRoute } from '@tanstack/react-router'
import { databasePages } from '../../../shell/places.ts'
import { SettingsLayout } from '../../../shell/SettingsLayout.tsx'

/** The pages about a project's database: the second column, and the page that is open. */
export const Route = createFileRoute('/_app/project/$ref/database')({ component: Page })

function Page() {
  const { ref } = Route.useParams()
  return <SettingsLayout title="Database" groups={databasePages(ref)} />
}
