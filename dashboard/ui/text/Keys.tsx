import { ArrowBigUp, ArrowDown, ArrowUp, Command, CornerDownLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon, type IconType } from '../Icon.tsx'

// The text fonts have no glyphs for these.
const drawn: Record<string, { icon: IconType; name: string }> = {
  command: { icon: Command, name: 'Command' },
  shift: { icon: ArrowBigUp, name: 'Shift' },
  enter: { icon: CornerDownLeft, name: 'Enter' },
  up: { icon: ArrowUp, name: 'Up' },
  down: { icon: ArrowDown, name: 'Down' },
}

/** Key caps of a shortcut, as in 'mod+k' (together) or 'g h' (one after the other). */
export function Keys({ of: keys }: { of: string }) {
  return (
    <span className="keys">
      {keyCaps(keys).map((cap) => {
        const drawing = drawn[cap]
        return (
          <kbd key={cap}>
            {drawing ? (
              <>
                <Icon of={drawing.icon} />
                <span className="sr">{drawing.name}</span>
              </>
            ) : (
              cap
            )}
          </kbd>
        )
      })}
    </span>
  )
}

/** One key cap. For a shortcut use Keys. */
export function Kbd({ children }: { children: ReactNode }) {
  return <kbd>{children}</kbd>
}

/** True where the Command key takes the place of Ctrl. */
export const isMac = (platform = globalThis.navigator?.platform ?? '') =>
  /mac|iphone|ipad/i.test(platform)

type KeyCap = 'command' | 'shift' | 'enter' | 'up' | 'down' | (string & {})

/** 'mod+shift+k' or 'g h' as the caps a reader sees: ['command', 'shift', 'K'], ['G', 'H']. */
function keyCaps(keys: string, mac = isMac()): KeyCap[] {
  return keys.split(/[+ ]/).map((key) => {
    if (key === 'mod') return mac ? 'command' : 'Ctrl'
    return key.length === 1 ? key.toUpperCase() : key
  })
}
