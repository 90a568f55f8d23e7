import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { FlaskConical, KeyRound, LogOut, Settings2, ShieldCheck, UserRound } from 'lucide-react'
import { firstPreview, useShowPreview } from '../features/people/feature-previews/preview-param.ts'
import { openPrivacySettings } from '../session/telemetry/consent.ts'
import { profileQuery } from '../session/identity/profile.ts'
import { themeChoices, useTheme } from '../session/identity/theme.ts'
import { Avatar } from '../ui/text/Avatar.tsx'
import { Menu } from '../ui/floats/Menu.tsx'
import { MenuChoice } from '../ui/floats/MenuChoice.tsx'
import { MenuItem } from '../ui/floats/MenuItem.tsx'
import { MenuLabel } from '../ui/floats/MenuLabel.tsx'
import { MenuSeparator } from '../ui/floats/MenuSeparator.tsx'

export function AccountMenu() {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const [theme, setTheme] = useTheme()
  const previews = useShowPreview()
  const name = [profile.first_name, profile.last_name].filter(Boolean).join(' ') || profile.username
  return (
    <Menu
      label="Account"
      align="end"
      trigger={
        <button type="button" className="account" aria-label={`Account of ${name}`}>
          <Avatar name={name} />
        </button>
      }
    >
      <MenuLabel>
        <span className="account-name">{name}</span>
        {profile.primary_email !== name && (
          <span className="account-mail">{profile.primary_email}</span>
        )}
      </MenuLabel>
      <MenuSeparator />
      <MenuItem icon={UserRound} as={(props) => <Link to="/account/me" {...props} />}>
        Profile
      </MenuItem>
      <MenuItem icon={Settings2} as={(props) => <Link to="/account/preferences" {...props} />}>
        Preferences
      </MenuItem>
      <MenuItem icon={KeyRound} as={(props) => <Link to="/account/tokens" {...props} />}>
        Access tokens
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      <MenuChoice label="Theme" options={themeChoices} value={theme} onChange={setTheme} />
      <MenuSeparator />
      <MenuItem icon={FlaskConical} onSelect={() => previews.open(firstPreview)}>
        Feature previews
      </MenuItem>
      <MenuItem icon={ShieldCheck} onSelect={openPrivacySettings}>
        Privacy settings
      </MenuItem>
      <MenuItem icon={LogOut} as={(props) => <Link to="/logout" {...props} />}>
        Sign out
      </MenuItem>
    </Menu>
  )
}
