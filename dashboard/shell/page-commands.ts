import {
  Building2,
  Database,
  Lightbulb,
  LockKeyhole,
  Radio,
  Settings,
  UserRound,
} from 'lucide-react'
import { selfHostedWorld } from '#contract/operations/platform-only'
import type { Where } from '../session/project/where.ts'
import type { Command } from '../ui/floats/commands.ts'
import type { IconType } from '../ui/Icon.tsx'
import {
  accountPages,
  advisorPages,
  authPages,
  databasePages,
  organizationSettings,
  realtimePages,
  settingsPages,
} from './places.ts'

type Entry = { name: string; to: string; route: string; platformOnly?: true }
type Groups = readonly { entries: readonly Entry[] }[]

type Options = {
  where: Where
  /** Whether there is such a page for this person. */
  has: (route: string) => boolean
  selfHosted: boolean
  goTo: (to: string) => () => void
}

/** Every page of the second columns, for the command menu: those of the rail are there already. */
export function pageCommands({ where: { slug, ref }, has, selfHosted, goTo }: Options): Command[] {
  const project = ref ?? (selfHosted ? selfHostedWorld.projectRef : undefined)
  const list = (section: string, icon: IconType, groups: Groups): Command[] =>
    groups
      .flatMap(({ entries }) => entries)
      .filter(({ route, platformOnly }) => has(route) && !(selfHosted && platformOnly))
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
    ...(project ? list('Advisors', Lightbulb, advisorPages(project)) : []),
    ...(project ? list('Settings', Settings, settingsPages(project)) : []),
    ...(slug ? list('Organization', Building2, organizationSettings(slug)) : []),
    ...list('Account', UserRound, accountPages),
  ]
}
