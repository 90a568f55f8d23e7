import { useEffect } from 'react'
import { currentCommands } from './commands.ts'
import { createHotkeys } from './hotkeys.ts'

/** Listens for the shortcuts of the commands on the screen. Mount it once. */
export function Hotkeys() {
  useEffect(() => {
    const everywhere = createHotkeys(() => currentCommands().filter((one) => one.everywhere))
    const elsewhere = createHotkeys(() => currentCommands().filter((one) => !one.everywhere))
    const listen = (match: ReturnType<typeof createHotkeys>) => (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || event.isComposing) return
      const command = match(event, isOccupied(event.target), event.timeStamp)
      if (!command) return
      event.preventDefault()
      if (event.eventPhase === Event.CAPTURING_PHASE) event.stopPropagation()
      if (command !== 'waiting') command.run()
    }
    // What works everywhere comes before what a field would do with it: a code editor begins a command of its own with Ctrl+K.
    const first = listen(everywhere)
    const later = listen(elsewhere)
    addEventListener('keydown', first, { capture: true })
    addEventListener('keydown', later)
    return () => {
      removeEventListener('keydown', first, { capture: true })
      removeEventListener('keydown', later)
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
