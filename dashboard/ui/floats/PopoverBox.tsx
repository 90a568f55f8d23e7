import * as Radix from 'radix-ui/popover'
import { type ReactNode, useMemo } from 'react'
import { useDismissal } from './use-floating.ts'

type Props = {
  anchor: HTMLElement | null
  onClose: () => void
  label: string
  align?: 'start' | 'center' | 'end'
  fit?: boolean
  children: ReactNode
}

/** The panel itself; loaded when the first one is wanted. */
export function PopoverBox({ anchor, onClose, label, align = 'start', fit, children }: Props) {
  const dismissal = useDismissal(anchor)
  const place = useMemo(() => ({ current: anchor }), [anchor])
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Anchor virtualRef={place} />
      <Radix.Portal>
        <Radix.Content
          {...dismissal}
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
