import * as Radix from 'radix-ui/popover'
import type { ReactElement, ReactNode } from 'react'

type Props = {
  trigger: ReactElement
  label: string
  align?: 'start' | 'center' | 'end'
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** As wide as the trigger, for selects. */
  fit?: boolean
  children: ReactNode
}

/** A small panel at a button, for content that is not a list of actions. */
export function Popover({
  trigger,
  label,
  align = 'start',
  open,
  onOpenChange,
  fit,
  children,
}: Props) {
  return (
    <Radix.Root
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange ? { onOpenChange } : {})}
    >
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className="pop popover"
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          style={fit ? { width: 'var(--radix-popover-trigger-width)' } : undefined}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
