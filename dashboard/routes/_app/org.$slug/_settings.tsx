import { createFileRoute } from '@tanstack/react-router'
import { organizationSettings } from '../../../shell/places.ts'
import { SettingsLayout } from '../../../shell/SettingsLayout.tsx'

export const Route = createFileRoute('/_app/org/$slug/_settings')({ component: Page })

function Page() {
  const { slug } = Route.useParams()
  return <SettingsLayout title="Organization settings" groups={organizationSettings(slug)} />
}
