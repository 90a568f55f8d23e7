import type { ReactNode } from 'react'
import { cx } from '../cx.ts'

type Props = {
  label: ReactNode
  help?: ReactNode
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** On or off, at once. What waits for Save is a checkbox. */
export function Switch({ label, help, checked, onChange, disabled }: Props) {
  return (
    <label className="choice switch">
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className="sr"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span
        className={cx('sw', checked && 'on', disabled && 'off')}
        aria-disabled={disabled || undefined}
      />
      <span>
        {label}
        {help && <span className="choice-help">{help}</span>}
      </span>
    </label>
  )
}
