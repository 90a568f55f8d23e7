import { useMutation } from '@tanstack/react-query'
import { serviceIds } from '#contract/people/consent'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { setPreference, usePreferences } from '../../../session/identity/preferences.ts'
import { Card } from '../../../ui/Card.tsx'
import { Keys } from '../../../ui/text/Keys.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { messageOf } from '../../../api/client.ts'
import {
  openPrivacySettings,
  updateServices,
  useConsent,
} from '../../../session/telemetry/consent.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { themeChoices, useTheme } from '../../../session/identity/theme.ts'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
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

const { productUse } = serviceIds

/** The same consent that the toast asks for and the privacy settings hold. */
function PrivacyCard() {
  const decisions = useConsent((state) => state.decisions)
  const decide = useMutation({
    mutationFn: (status: boolean) =>
      updateServices(
        Object.entries({ ...decisions, [productUse]: status }).map(([id, yes]) => ({
          id,
          status: yes,
        })),
      ),
    onError: (error) =>
      toast.error('Your choice could not be saved', { description: messageOf(error) }),
  })
  return (
    <Card title="Privacy" padded={false}>
      <div className="set-row">
        <div className="grow">
          <Switch
            label="Share how I use the dashboard"
            help="Which pages and buttons, never what you type or store"
            checked={decisions[productUse] === true}
            disabled={decide.isPending}
            onChange={(status) => decide.mutate(status)}
          />
        </div>
        <Button onClick={openPrivacySettings}>Privacy settings</Button>
      </div>
    </Card>
  )
}

const about: Record<(typeof themeChoices)[number]['value'], string> = {
  system: 'Follows your device',
  dark: 'Dark with a blue tint',
  light: 'Bright, for daylight',
  'classic-dark': 'Dark, without any tint',
}

/** Theme and rail. Both count at once and in this browser only. */
function AppearanceCard() {
  const [theme, setTheme] = useTheme()
  const pinned = usePreferences((preferences) => preferences.railPinned)
  return (
    <Card title="Appearance">
      <div className="two">
        <RadioGroup label="Theme">
          {themeChoices.map(({ value, label }) => (
            <Radio
              key={value}
              name="theme"
              label={label}
              help={about[value]}
              checked={theme === value}
              onChange={() => setTheme(value)}
            />
          ))}
        </RadioGroup>
        <RadioGroup label="Rail">
          <Radio
            name="rail"
            label="Opens on hover"
            help="Shows only icons until you hover over it"
            checked={!pinned}
            onChange={() => setPreference({ railPinned: false })}
          />
          <Radio
            name="rail"
            label="Stays open"
            help="Always shows names next to the icons"
            checked={pinned}
            onChange={() => setPreference({ railPinned: true })}
          />
        </RadioGroup>
      </div>
    </Card>
  )
}
