import type { Command } from './commands.ts'

/** A group of the command menu (requirements §2, "Command menu"). */
export type CommandSection = {
  id: string
  name: string
  /** It stays whatever is typed, since what it does takes the text itself. */
  forceMount: boolean
  meta: {
    /** Where it stands while nothing is typed; what is typed ranks by how well it fits. */
    rank: number
  }
  commands: readonly Command[]
}

/** What one does most comes first; what is not named here, such as the pages of an area, follows. */
const order = ['Actions', 'Pages', 'Tables', 'Queries', 'Functions', 'Buckets', 'Users', 'Projects']
const last = ['Copy', 'Theme', 'Account', 'Help', 'Assistant']
const forced = new Set(['Assistant'])

const rankOf = (name: string): number =>
  order.includes(name)
    ? order.indexOf(name)
    : last.includes(name)
      ? 100 + last.indexOf(name)
      : order.length

/** The commands of the menu in their sections. */
export function sectionsOf(commands: readonly Command[]): CommandSection[] {
  const names = [...new Set(commands.map(({ section }) => section))]
  return names
    .map((name) => ({
      id: name.toLowerCase().replaceAll(' ', '-'),
      name,
      forceMount: forced.has(name),
      meta: { rank: rankOf(name) },
      commands: commands.filter(({ section, unlisted }) => section === name && !unlisted),
    }))
    .filter((section) => section.commands.length > 0)
    .toSorted((a, b) => a.meta.rank - b.meta.rank)
}
