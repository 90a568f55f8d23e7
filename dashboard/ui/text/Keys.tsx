import { ArrowBigUp, ArrowDown, ArrowUp, Command, CornerDownLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon, type IconType } from '../Icon.tsx'
import { keyCaps } from './keys.ts'

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
