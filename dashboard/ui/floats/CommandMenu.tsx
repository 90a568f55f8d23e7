import { Command as Cmdk, defaultFilter } from 'cmdk'
import { Search } from 'lucide-react'
import * as Radix from 'radix-ui/dialog'
import { type Command, useCurrentCommands } from './commands.ts'
import { useFocusBack } from './focus.ts'
import { Icon } from '../Icon.tsx'
import { Keys } from '../text/Keys.tsx'

type Props = {
  onClose: () => void
  /** Where the reader is, in a badge: "storefront / main". */
  place?: string | undefined
  typed: string
  onTyped: (text: string) => void
}

/** Letters that are merely somewhere in a long name are no find. */
const leastScore = 0.01

/** How well a name and its hint fit what is typed, 0 for not at all. The value is an id, which nobody types. */
function score(_id: string, typed: string, words: string[] = []): number {
  const fits = defaultFilter(words.join(' '), typed)
  return fits < leastScore ? 0 : fits
}

/** Every page and action of what is on the screen, found by typing. Mounted while it is open. */
export function CommandMenu({ onClose, place, typed, onTyped }: Props) {
  const sections = sectionsOf(useCurrentCommands())
  const back = useFocusBack()
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content className="pop cmd" aria-describedby={undefined} onCloseAutoFocus={back}>
          <Radix.Title className="sr">Command menu</Radix.Title>
          <Cmdk label="Command menu" loop filter={score}>
            <div className="q">
              <Icon of={Search} />
              <Cmdk.Input
                placeholder="Find a page, a thing or an action"
                value={typed}
                onValueChange={onTyped}
              />
              {place && <span className="badge">{place}</span>}
            </div>
            <Cmdk.List className="menu">
              <Cmdk.Empty className="options-note">Nothing found</Cmdk.Empty>
              {sections.map(({ id, name, forceMount, commands }) => (
                <Cmdk.Group key={id} heading={name} forceMount={forceMount}>
                  {commands.map((command) => (
                    <Entry
                      key={command.id}
                      command={command}
                      forceMount={forceMount}
                      onClose={onClose}
                    />
                  ))}
                </Cmdk.Group>
              ))}
            </Cmdk.List>
          </Cmdk>
          <footer>
            <Keys of="up+down" />
            <span>move</span>
            <Keys of="enter" />
            <span>open</span>
            <span className="grow" />
            <Keys of="?" />
            <span>all shortcuts</span>
          </footer>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

type EntryProps = { command: Command; forceMount: boolean; onClose: () => void }

function Entry({ command, forceMount, onClose }: EntryProps) {
  function run() {
    onClose()
    command.run()
  }
  return (
    <Cmdk.Item
      className="mi"
      forceMount={forceMount}
      value={command.id}
      keywords={[command.name, command.hint ?? '']}
      onSelect={run}
    >
      {command.icon && <Icon of={command.icon} size="s" />}
      <span>{command.name}</span>
      {command.hint && <span className="faint ell">{command.hint}</span>}
      <span className="end">{command.keys && <Keys of={command.keys} />}</span>
    </Cmdk.Item>
  )
}

/** A group of the command menu (requirements §2, "Command menu"). */
type CommandSection = {
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
