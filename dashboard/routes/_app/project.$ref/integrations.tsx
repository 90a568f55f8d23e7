import { createFileRoute } from '@tanstack/react-router'
import { integrationPages } from '../../../shell/places.ts'
import { SettingsLayout } from '../../../shell/SettingsLayout.tsx'

/** What works on a database beside the services: the second column, and the page that is open. */
export const Route = createFileRoute('/_app/project/$ref/integrations')({ component: Page })

function Page() {
  return <SettingsLayout title="Integrations" groups={integrationPages(Route.useParams().ref)} />
}
