import { setPreference, usePreferences } from '../../../session/identity/preferences.ts'
import { Card } from '../../../ui/Card.tsx'
import { Keys } from '../../../ui/text/Keys.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'

/** Shortcuts that get in the way of other programs can be switched off (requirements §2, "Command menu"). */
export function HotkeysCard() {
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
