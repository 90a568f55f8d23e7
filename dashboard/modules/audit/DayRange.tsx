import { useState } from 'react'
import { DayField } from '../../ui/controls/DayField.tsx'

type Range = { from?: string; to?: string }
type Props = {
  /** How many days back there are entries. */
  days: number
  range: Range
  onRange: (part: Range) => void
}

const day = 24 * 3600_000
/** As a date field writes it, in the person's own zone. */
const dayOf = (time: number) => new Date(time).toLocaleDateString('sv')

/** The first and the last day to be shown, neither before there are entries nor the wrong way round. */
export function DayRange({ days, range: { from, to }, onRange }: Props) {
  const [now] = useState(() => Date.now())
  const [oldest, today] = [dayOf(now - days * day), dayOf(now)]
  return (
    <>
      <DayField
        label="From"
        value={from ?? ''}
        min={oldest}
        max={to || today}
        onChange={(next) => onRange({ from: next })}
      />
      <DayField
        label="To"
        value={to ?? ''}
        min={from || oldest}
        max={today}
        onChange={(next) => onRange({ to: next })}
      />
    </>
  )
}
