import { useEffect } from 'react'
import { currentCommands } from './floats/commands.ts'
import { createHotkeys } from './hotkeys.ts'

/** Listens for the shortcuts of the commands on the screen. Mount it once. */
export function Hotkeys() {
  useEffect(() => {
    const match = createHotkeys(currentCommands)
    function press(event: KeyboardEvent) {
      if (event.defaultPrevented || event.repeat || event.isComposing) return
      const command = match(event, isOccupied(event.target), event.timeStamp)
      if (!command) return
      event.preventDefault()
      if (command !== 'waiting') command.run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return null
}

/** Typing in a field, or busy with a dialog or menu: plain keys belong to that. */
function isOccupied(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="menu"]')) return true
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input, textarea, select, [role="combobox"]') !== null)
  )
}
