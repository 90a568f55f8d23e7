import * as Radix from 'radix-ui/tooltip'
import type { ReactElement, ReactNode } from 'react'
import { Keys } from './Keys.tsx'

type Props = {
  text: ReactNode
  /** The shortcut of what is pointed at, as in 'mod+k' or 'g h'. */
  keys?: string | undefined
  side?: 'top' | 'right' | 'bottom' | 'left'
  /** One element that takes a ref and spreads its props. */
  children: ReactElement
}

/** Says what a control does, 700 ms after it is pointed at or at once when focused. */
export function Tooltip({ text, keys, side = 'bottom', children }: Props) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="tip" side={side} sideOffset={6} collisionPadding={8}>
          <span>{text}</span>
          {keys && <Keys of={keys} />}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
