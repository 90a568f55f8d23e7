import { useState } from 'react'
import { ago, exactTime } from './time.ts'

/** When something happened: how long ago, with the exact time on hover. */
export function Time({ at }: { at: string }) {
  const date = new Date(at)
  const [now] = useState(() => new Date())
  return (
    <time dateTime={at} title={exactTime(date)}>
      {ago(date, now)}
    </time>
  )
}
