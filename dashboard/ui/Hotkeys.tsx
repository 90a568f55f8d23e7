import { useEffect } from 'react'
import { currentCommands, type Command } from './floats/commands.ts'
import { isMac } from './text/Keys.tsx'

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

/** What of a key press matters here; a KeyboardEvent is one. */
export type Press = {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  shiftKey: boolean
}

/** How long the second key of 'g h' may take. */
const timeout = 1000

/**
 * Turns key presses into commands. `match` takes a press, whether the reader is typing or busy in a dialog, and the time in ms;
 * it answers the command to run, or 'waiting' when the press began a sequence.
 */
export function createHotkeys(commands: () => readonly Command[], mac = isMac()) {
  let begun: { key: string; at: number } | undefined

  return function match(
    press: Press,
    occupied: boolean,
    now: number,
  ): Command | 'waiting' | undefined {
    const open = commands().filter(({ keys, everywhere }) => keys && (everywhere || !occupied))
    const first = begun && now - begun.at <= timeout ? begun.key : undefined
    begun = undefined

    const modified = mac ? press.metaKey : press.ctrlKey
    if (modified) return open.find(({ keys }) => keys === `mod+${press.key.toLowerCase()}`)
    if (press.altKey || press.ctrlKey || press.metaKey) return undefined

    const key = press.key.length === 1 ? press.key.toLowerCase() : press.key
    const second = first && open.find(({ keys }) => keys === `${first} ${key}`)
    if (second) return second
    const single = open.find(({ keys }) => keys === key)
    if (single) return single
    if (!open.some(({ keys }) => keys?.startsWith(`${key} `))) return undefined
    begun = { key, at: now }
    return 'waiting'
  }
}
