import { Icon, type IconType } from '../Icon.tsx'

type Option<Value extends string> = { value: Value; label: string; icon?: IconType }

type Props<Value extends string> = {
  label: string
  options: readonly Option<Value>[]
  value: Value
  onChange: (value: Value) => void
}

/** Two to four ways to see the same thing. With icons the label is for screen readers only. */
export function Segmented<Value extends string>({ label, options, value, onChange }: Props<Value>) {
  return (
    <fieldset className="seg" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          aria-label={option.icon ? option.label : undefined}
          title={option.icon ? option.label : undefined}
          onClick={() => onChange(option.value)}
        >
          {option.icon ? <Icon of={option.icon} /> : option.label}
        </button>
      ))}
    </fieldset>
  )
}
