import { useNavigate, useLocation } from '@tanstack/react-router'
import {
  Activity,
  Building2,
  ChartNoAxesColumn,
  FlaskConical,
  Keyboard,
  LifeBuoy,
  LogOut,
  Plus,
  ShieldCheck,
  SunMoon,
  UserPlus,
  Database,
  Lightbulb,
  LockKeyhole,
  Radio,
  ScrollText,
  Settings,
  UserRound,
} from 'lucide-react'
import { lazy, Suspense, useEffect } from 'react'
import { useQuery } from '@tanstack/react-query'
import { selfHostedWorld } from '#contract/operations/platform-only'
import { firstPreview, useShowPreview } from '../features/people/feature-previews/preview-param.ts'
import { openPrivacySettings } from '../session/telemetry/consent.ts'
import { useHasRoute } from '../session/organization/has-route.ts'
import { useSelfHosted } from '../session/organization/mode.ts'
import { profileQuery, useDisabledFeatures } from '../session/identity/profile.ts'
import { usePreferences } from '../session/identity/preferences.ts'
import { themeChoices, useTheme } from '../session/identity/theme.ts'
import { type Command, useCommands } from '../ui/floats/commands.ts'
import { useWhere, type Where } from '../session/project/where.ts'
import type { IconType } from '../ui/Icon.tsx'
import { organizationsQuery } from '../session/organization/organizations.ts'
import { projectQuery } from '../session/project/project.ts'
import { closeDialogs, openCommandMenu, openShortcuts, useOpenDialog } from './open-dialogs.ts'
import { useTitle } from './use-page.ts'
import {
  accountPages,
  advisorPages,
  authPages,
  databasePages,
  operatorPages,
  organizationSettings,
  realtimePages,
  settingsPages,
} from './places.ts'
import { logPages } from './log-places.ts'
import { reportPlaces } from './report-places.ts'
import { usePlaces } from './use-places.ts'

const SearchMenu = lazy(() => import('./SearchMenu.tsx').then((m) => ({ default: m.SearchMenu })))
const Shortcuts = lazy(() => import('./Shortcuts.tsx').then((m) => ({ default: m.Shortcuts })))

/** What can be done from everywhere, and the two dialogs that list it. */
export function Commands() {
  const navigate = useNavigate()
  const previews = useShowPreview()
  const places = usePlaces()
  const selfHosted = useSelfHosted()
  const isOff = useDisabledFeatures()
  const has = useHasRoute()
  const where = useWhere()
  const { slug, ref } = where
  const hotkey = usePreferences((p) => p.commandMenuHotkey)
  const [, setTheme] = useTheme()
  const { open } = useOpenDialog()
  const { data: profile } = useQuery(profileQuery)
  const place = usePlace()
  useTitle(place?.replace(' / main', ''))

  const goTo = (href: string) => () => void navigate({ href })
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
  const newOrganization: Command = {
    id: 'organization.new',
    section: 'Actions',
    name: 'New organization',
    icon: Plus,
    run: goTo('/new'),
  }
  const invite: Command = {
    id: 'configure-organization.invite',
    section: 'Actions',
    name: 'Invite a member',
    icon: UserPlus,
    run: goTo(`/org/${slug}/team?invite=true`),
  }
  useCommands([
    ...pages,
    ...(selfHosted || places.some((p) => p.to === '/organizations') ? [] : [organizations]),
    ...(slug && !selfHosted && has('/new/$slug') ? [newProject] : []),
    ...(selfHosted || !has('/new') ? [] : [newOrganization]),
    ...(slug && !selfHosted && !isOff('organization_members:create') ? [invite] : []),
    ...pageCommands({
      where,
      has,
      selfHosted,
      isOperator: profile?.is_operator === true,
      goTo,
    }),
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
    {
      id: 'support',
      section: 'Help',
      name: 'Ask for help',
      icon: LifeBuoy,
      run: goTo(ref ? `/support/new?ref=${ref}` : '/support/new'),
    },
    {
      id: 'previews',
      section: 'Account',
      name: 'Feature previews',
      icon: FlaskConical,
      run: () => previews.open(firstPreview),
    },
    {
      id: 'privacy',
      section: 'Account',
      name: 'Privacy settings',
      icon: ShieldCheck,
      run: openPrivacySettings,
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
      {open === 'commands' && (
        <SearchMenu onClose={closeDialogs} place={place} where={where} goTo={goTo} />
      )}
      {open === 'shortcuts' && <Shortcuts onClose={closeDialogs} />}
    </Suspense>
  )
}

/** Where one is, in words: "storefront / main", an organization's name, or nothing. Going elsewhere closes the menus. */
function usePlace(): string | undefined {
  const { slug, ref } = useWhere()
  const { data: project } = useQuery({ ...projectQuery(ref ?? ''), enabled: ref !== undefined })
  const { data: organizations } = useQuery(organizationsQuery)
  const { pathname } = useLocation()
  useEffect(() => closeDialogs, [pathname])
  if (ref) return project && `${project.name} / main`
  return organizations?.find((organization) => organization.slug === slug)?.name
}

type Entry = { name: string; to: string; route: string; platformOnly?: true; leadsAway?: true }
type Groups = readonly { entries: readonly Entry[] }[]

type Options = {
  where: Where
  /** Whether there is such a page for this person. */
  has: (route: string) => boolean
  selfHosted: boolean
  isOperator: boolean
  goTo: (to: string) => () => void
}

/** Every page of the second columns, for the command menu: those of the rail are there already. */
function pageCommands({
  where: { slug, ref },
  has,
  selfHosted,
  isOperator,
  goTo,
}: Options): Command[] {
  const project = ref ?? (selfHosted ? selfHostedWorld.projectRef : undefined)
  const list = (section: string, icon: IconType, groups: Groups): Command[] =>
    groups
      .flatMap(({ entries }) => entries)
      .filter(({ route, platformOnly }) => has(route) && !(selfHosted && platformOnly))
      // It is listed where it belongs.
      .filter(({ leadsAway }) => !leadsAway)
      .map(({ name, to }) => ({
        id: `go.${to}`,
        section,
        name: `${section}: ${name.toLowerCase()}`,
        icon,
        run: goTo(to),
      }))
  return [
    ...(project ? list('Database', Database, databasePages(project)) : []),
    ...(project ? list('Authentication', LockKeyhole, authPages(project)) : []),
    ...(project ? list('Realtime', Radio, realtimePages(project)) : []),
    ...(project ? list('Reports', ChartNoAxesColumn, reportPlaces(project)) : []),
    ...(project ? list('Logs', ScrollText, logPages(project, false)) : []),
    ...(project ? list('Advisors', Lightbulb, advisorPages(project)) : []),
    ...(project ? list('Settings', Settings, settingsPages(project)) : []),
    ...(slug ? list('Organization', Building2, organizationSettings(slug)) : []),
    ...list('Account', UserRound, accountPages),
    ...(isOperator ? list('Installation', Activity, operatorPages) : []),
  ]
}
