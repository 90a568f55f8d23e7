import { useNavigate } from '@tanstack/react-router'
import { Building2, Keyboard, LogOut, Plus, SunMoon } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { usePreferences } from '../session/preferences.ts'
import { themeChoices, useTheme } from '../session/theme.ts'
import { type Command, useCommands } from '../ui/commands.ts'
import { closeDialogs, openCommandMenu, openShortcuts, useOpenDialog } from './open-dialogs.ts'
import { usePlace } from './use-place.ts'
import { useTitle } from './use-title.ts'
import { usePlaces, useWhere } from './use-places.ts'

const CommandMenu = lazy(() =>
  import('../ui/CommandMenu.tsx').then((m) => ({ default: m.CommandMenu })),
)
const Shortcuts = lazy(() => import('./Shortcuts.tsx').then((m) => ({ default: m.Shortcuts })))

/** What can be done from everywhere, and the two dialogs that list it. */
export function Commands() {
  const navigate = useNavigate()
  const places = usePlaces()
  const { slug } = useWhere()
  const hotkey = usePreferences((p) => p.commandMenuHotkey)
  const [, setTheme] = useTheme()
  const { open } = useOpenDialog()
  const place = usePlace()
  useTitle(place?.replace(' / main', ''))

  const goTo = (to: string) => () => void navigate({ to })
  const pages: Command[] = places.map(({ name, icon, to, keys }) => ({
    id: `go.${to}`,
    section: 'Pages',
    name,
    icon,
    ...(keys ? { keys } : {}),
    run: goTo(to),
  }))
  const organizations: Command = {
    id: 'go.organizations',
    section: 'Pages',
    name: 'All organizations',
    icon: Building2,
    keys: 'g o',
    run: goTo('/organizations'),
  }
  const newProject: Command = {
    id: 'project.new',
    section: 'Actions',
    name: 'New project',
    icon: Plus,
    keys: 'c',
    run: goTo(`/new/${slug}`),
  }
  useCommands([
    ...pages,
    ...(places.some((p) => p.to === '/organizations') ? [] : [organizations]),
    ...(slug ? [newProject] : []),
    {
      id: 'organization.new',
      section: 'Actions',
      name: 'New organization',
      icon: Plus,
      run: goTo('/new'),
    },
    ...themeChoices.map(({ value, label }) => ({
      id: `theme.${value}`,
      section: 'Theme',
      name: `${label} theme`,
      icon: SunMoon,
      run: () => setTheme(value),
    })),
    {
      id: 'shortcuts',
      section: 'Help',
      name: 'Keyboard shortcuts',
      icon: Keyboard,
      keys: '?',
      run: openShortcuts,
    },
    { id: 'sign-out', section: 'Account', name: 'Sign out', icon: LogOut, run: goTo('/logout') },
    {
      id: 'commands',
      section: 'Help',
      name: 'Search and commands',
      ...(hotkey ? { keys: 'mod+k' } : {}),
      everywhere: true,
      unlisted: true,
      run: () => (open === 'commands' ? closeDialogs() : openCommandMenu()),
    },
  ])

  return (
    <Suspense>
      {open === 'commands' && <CommandMenu onClose={closeDialogs} place={place} />}
      {open === 'shortcuts' && <Shortcuts onClose={closeDialogs} />}
    </Suspense>
  )
}
