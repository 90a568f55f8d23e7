import { Check } from 'lucide-react'
import * as Radix from 'radix-ui/dropdown-menu'
import { Icon, type IconType } from './Icon.tsx'

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
