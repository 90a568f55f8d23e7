import * as Radix from 'radix-ui/dropdown-menu'
import type { ReactElement, ReactNode } from 'react'

type Props = {
  /** The button that opens it. */
  trigger: ReactElement
  align?: 'start' | 'end'
  /** What the menu is about, for screen readers. */
  label: string
  children: ReactNode
}

/** A menu below a button. Fill it with MenuItem, MenuChoice, MenuLabel and MenuSeparator. */
export function Menu({ trigger, align = 'start', label, children }: Props) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className="pop menu"
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
