import { type ReactElement, type ReactNode, createContext, use } from 'react'
import type * as Radix from 'radix-ui/dropdown-menu'
import { Check } from 'lucide-react'
import { cx } from '../cx.ts'
import { Icon, type IconType } from '../Icon.tsx'
import { Keys } from '../text/Keys.tsx'

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

export type MenuParts = Pick<
  typeof Radix,
  'Item' | 'Label' | 'Separator' | 'RadioGroup' | 'RadioItem' | 'ItemIndicator'
>

/** What menu items are made of: handed down by the menu, so that the items do not load it before it opens. */
export const MenuPartsContext = createContext<MenuParts | undefined>(undefined)

function useMenuParts(): MenuParts {
  const parts = use(MenuPartsContext)
  if (!parts) throw new Error('A menu item stands outside of a menu')
  return parts
}

type MenuChoiceProps<Value extends string> = {
  label: string
  options: readonly { value: Value; label: string; icon?: IconType }[]
  value: Value
  onChange: (value: Value) => void
}

/** One of several inside a menu, with a check at the chosen one. */
export function MenuChoice<Value extends string>({
  label,
  options,
  value,
  onChange,
}: MenuChoiceProps<Value>) {
  const Radix = useMenuParts()
  return (
    <Radix.RadioGroup value={value} aria-label={label}>
      {options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          className="mi"
          value={option.value}
          onSelect={() => onChange(option.value)}
        >
          {option.icon && <Icon of={option.icon} size="s" />}
          {option.label}
          <span className="end">
            <Radix.ItemIndicator>
              <Icon of={Check} size="s" />
            </Radix.ItemIndicator>
          </span>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

/** A faint heading inside a menu. */
export function MenuLabel({ children }: { children: ReactNode }) {
  const Radix = useMenuParts()
  return <Radix.Label className="menu-label">{children}</Radix.Label>
}

/** A line between two groups of items. */
export function MenuSeparator() {
  const Radix = useMenuParts()
  return <Radix.Separator className="menu-line" />
}
