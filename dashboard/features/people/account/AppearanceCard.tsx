import { setPreference, usePreferences } from '../../../session/identity/preferences.ts'
import { themeChoices, useTheme } from '../../../session/identity/theme.ts'
import { Card } from '../../../ui/Card.tsx'
import { Radio } from '../../../ui/controls/Radio.tsx'
import { RadioGroup } from '../../../ui/controls/RadioGroup.tsx'

const about: Record<(typeof themeChoices)[number]['value'], string> = {
  system: 'Follows your device',
  dark: 'Dark with a blue tint',
  light: 'Bright, for daylight',
  'classic-dark': 'Dark, without any tint',
}

/** Theme and rail. Both count at once and in this browser only. */
export function AppearanceCard() {
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
