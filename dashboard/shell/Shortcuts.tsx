import { useCurrentCommands } from '../ui/floats/commands.ts'
import { Dialog } from '../ui/floats/Dialog.tsx'
import { Keys } from '../ui/text/Keys.tsx'

/** Every shortcut that works on this page. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const commands = useCurrentCommands().filter((command) => command.keys)
  const sections = [...new Set(commands.map((command) => command.section))]
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts" size="small">
      {sections.map((section) => (
        <section key={section} className="shortcuts">
          <h3>{section}</h3>
          <dl>
            {commands
              .filter((command) => command.section === section)
              .map((command) => (
                <div key={command.id}>
                  <dt>{command.name}</dt>
                  <dd>{command.keys && <Keys of={command.keys} />}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}
