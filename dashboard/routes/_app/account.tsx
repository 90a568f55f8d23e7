import { createFileRoute } from '@tanstack/react-router'
import { accountPages } from '../../shell/places.ts'
import { SettingsLayout } from '../../shell/SettingsLayout.tsx'

export const Route = createFileRoute('/_app/account')({ component: Page })

function Page() {
  return <SettingsLayout title="Account" groups={accountPages} />
}
