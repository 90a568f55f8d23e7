import { Command as Cmdk, defaultFilter } from 'cmdk'
import { Search } from 'lucide-react'
import * as Radix from 'radix-ui/dialog'
import { sectionsOf } from './command-sections.ts'
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
