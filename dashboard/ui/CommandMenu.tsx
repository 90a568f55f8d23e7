import { Command as Cmdk } from 'cmdk'
import { Search } from 'lucide-react'
import * as Radix from 'radix-ui/dialog'
import type { Command } from './commands.ts'
import { useCurrentCommands } from './commands.ts'
import { Icon } from './Icon.tsx'
import { Keys } from './Keys.tsx'

type Props = {
  onClose: () => void
  /** Where the reader is, in a badge: "storefront / main". */
  place?: string | undefined
}

/** Every page and action of what is on the screen, found by typing. Mounted while it is open. */
export function CommandMenu({ onClose, place }: Props) {
  const commands = useCurrentCommands().filter((command) => !command.unlisted)
  const sections = [...new Set(commands.map((command) => command.section))]
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="scrim" />
        <Radix.Content className="pop cmd" aria-describedby={undefined}>
          <Radix.Title className="sr">Command menu</Radix.Title>
          <Cmdk label="Command menu" loop>
            <div className="q">
              <Icon of={Search} />
              <Cmdk.Input placeholder="Find a page or an action" />
              {place && <span className="badge">{place}</span>}
            </div>
            <Cmdk.List className="menu">
              <Cmdk.Empty className="options-note">Nothing found</Cmdk.Empty>
              {sections.map((section) => (
                <Cmdk.Group key={section} heading={section}>
                  {commands
                    .filter((command) => command.section === section)
                    .map((command) => (
                      <Entry key={command.id} command={command} onClose={onClose} />
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

function Entry({ command, onClose }: { command: Command; onClose: () => void }) {
  function run() {
    onClose()
    command.run()
  }
  return (
    <Cmdk.Item
      className="mi"
      value={`${command.name} ${command.id}`}
      keywords={[command.hint ?? '']}
      onSelect={run}
    >
      {command.icon && <Icon of={command.icon} size="s" />}
      <span>{command.name}</span>
      {command.hint && <span className="faint ell">{command.hint}</span>}
      <span className="end">{command.keys && <Keys of={command.keys} />}</span>
    </Cmdk.Item>
  )
}
