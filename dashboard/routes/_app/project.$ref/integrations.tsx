import { createFileRoute, Outlet } from '@tanstack/react-router'
import { IntegrationStrip } from '../../../modules/integrations/IntegrationStrip.tsx'
import { integrationPages } from '../../../shell/places.ts'
import { SettingsLayout } from '../../../shell/SettingsLayout.tsx'

/** What works on a database beside the services: the second column, the tabs of the one that is open, and its page. */
export const Route = createFileRoute('/_app/project/$ref/integrations')({ component: Page })

function Page() {
  const { ref } = Route.useParams()
  return (
    <SettingsLayout title="Integrations" groups={integrationPages(ref)}>
      <div className="integration-pane">
        <IntegrationStrip projectRef={ref} />
        <Outlet />
      </div>
    </SettingsLayout>
  )
}
