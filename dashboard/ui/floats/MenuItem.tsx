import type { ReactElement, ReactNode } from 'react'
import { cx } from '../cx.ts'
import { Icon, type IconType } from '../Icon.tsx'
import { Keys } from '../text/Keys.tsx'
import { useMenuParts } from './menu-parts.ts'

type Props = {
  icon?: IconType
  danger?: boolean
  keys?: string | undefined
  /** Why it cannot be chosen now, shown as the second line. */
  disabledReason?: string | false | undefined
  onSelect?: () => void
  /** Renders as this element (a router link) with the item's content inside. */
  as?: (props: { className: string; children: ReactNode }) => ReactElement
  children: ReactNode
}

export function MenuItem({ icon, danger, keys, disabledReason, onSelect, as, children }: Props) {
  const Radix = useMenuParts()
  const className = cx('mi', danger && 'dan')
  const inside = (
    <>
      {icon && <Icon of={icon} size="s" />}
      <span>
        {children}
        {disabledReason && <span className="choice-help">{disabledReason}</span>}
      </span>
      {keys && (
        <span className="end">
          <Keys of={keys} />
        </span>
      )}
    </>
  )
  const disabled = Boolean(disabledReason)
  if (as)
    return (
      <Radix.Item asChild disabled={disabled}>
        {as({ className, children: inside })}
      </Radix.Item>
    )
  return (
    <Radix.Item className={className} disabled={disabled} onSelect={() => onSelect?.()}>
      {inside}
    </Radix.Item>
  )
}
