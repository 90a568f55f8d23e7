import * as Radix from 'radix-ui/dropdown-menu'
import { type ReactNode, useState } from 'react'
import { MenuPartsContext } from './MenuItem.tsx'
import { useDismissal } from './use-floating.ts'

type Props = {
  anchor: HTMLElement | null
  /** Has the focus when the menu has closed, unless that is the anchor. */
  back?: HTMLElement | null
  onClose: () => void
  label: string
  align?: 'start' | 'end'
  children: ReactNode
}

/** The menu itself; loaded when the first one is wanted. */
export function MenuBox({
  anchor,
  back = anchor,
  onClose,
  label,
  align = 'start',
  children,
}: Props) {
  const dismissal = useDismissal(anchor, back)
  // The library places a menu at its own trigger; this one lies unseen where the real one is.
  const [at] = useState(() => anchor?.getBoundingClientRect())
  const { left, top, width, height } = at ?? { left: 0, top: 0, width: 0, height: 0 }
  return (
    <Radix.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Radix.Trigger asChild>
        <span
          aria-hidden
          tabIndex={-1}
          className="menu-anchor"
          style={{ left, top, width, height }}
        />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          {...dismissal}
          className="pop menu"
          aria-labelledby={undefined}
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
        >
          <MenuPartsContext value={Radix}>{children}</MenuPartsContext>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
