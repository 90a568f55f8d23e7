import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { AppearanceCard } from './AppearanceCard.tsx'
import { HotkeysCard } from './HotkeysCard.tsx'
import { PrivacyCard } from './PrivacyCard.tsx'
import './account.css'

/** /account/preferences */
export function PreferencesPage() {
  const off = useDisabledFeatures()
  return (
    <Page width="form">
      <PageHead title="Preferences" help="How the dashboard looks and behaves in this browser." />
      <div className="form-stack">
        <AppearanceCard />
        <HotkeysCard />
        {!off('profile:show_analytics_and_marketing') && <PrivacyCard />}
      </div>
    </Page>
  )
}
