import { Check } from 'lucide-react'
import { Icon, type IconType } from '../Icon.tsx'
import { useMenuParts } from './menu-parts.ts'

type Props<Value extends string> = {
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
}: Props<Value>) {
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
