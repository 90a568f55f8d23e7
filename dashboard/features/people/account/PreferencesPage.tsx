import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'
import { setPreference, usePreferences } from '../../../session/identity/preferences.ts'
import { Card } from '../../../ui/Card.tsx'
import { Keys } from '../../../ui/text/Keys.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { AppearanceCard } from './AppearanceCard.tsx'
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

/** Shortcuts that get in the way of other programs can be switched off (requirements §2, "Command menu"). */
function HotkeysCard() {
  const { commandMenuHotkey, assistantHotkey } = usePreferences()
  return (
    <Card title="Keyboard shortcuts" padded={false}>
      <div className="set-row">
        <div className="grow">
          <Switch
            label="Command menu"
            help="Finds every page and action"
            checked={commandMenuHotkey}
            onChange={(on) => setPreference({ commandMenuHotkey: on })}
          />
        </div>
        <Keys of="mod+k" />
      </div>
      <div className="set-row">
        <div className="grow">
          <Switch
            label="Assistant"
            help="Opens and closes the assistant panel"
            checked={assistantHotkey}
            onChange={(on) => setPreference({ assistantHotkey: on })}
          />
        </div>
        <Keys of="mod+i" />
      </div>
    </Card>
  )
}
