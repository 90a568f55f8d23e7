import { useId } from 'react'
import './day-field.css'

type Props = {
  label: string
  /** YYYY-MM-DD, or empty. */
  value: string
  min: string
  max: string
  onChange: (day: string) => void
}

/** A day in a bar of filters; empty means that it does not matter. */
export function DayField({ label, value, min, max, onChange }: Props) {
  const id = useId()
  return (
    <div className="in day">
      <label className="faint" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={value}
        min={min}
        max={max}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
