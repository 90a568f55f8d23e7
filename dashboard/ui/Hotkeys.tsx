import { useEffect } from 'react'
import { currentCommands } from './commands.ts'
import { createHotkeys } from './hotkeys.ts'

/** Listens for the shortcuts of the commands on the screen. Mount it once. */
export function Hotkeys() {
  useEffect(() => {
    const first = createHotkeys(() => currentCommands().filter((one) => one.beforeFields))
    const later = createHotkeys(() => currentCommands().filter((one) => !one.beforeFields))
    const listen = (match: ReturnType<typeof createHotkeys>) => (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || event.isComposing) return
      const command = match(event, isOccupied(event.target), event.timeStamp)
      if (!command) return
      event.preventDefault()
      if (command !== 'waiting') command.run()
    }
    const before = listen(first)
    function capture(event: KeyboardEvent) {
      // With Shift a code editor means something else by the same keys.
      if (event.shiftKey) return
      before(event)
      if (event.defaultPrevented) event.stopPropagation()
    }
    const press = listen(later)
    addEventListener('keydown', capture, { capture: true })
    addEventListener('keydown', press)
    return () => {
      removeEventListener('keydown', capture, { capture: true })
      removeEventListener('keydown', press)
    }
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
