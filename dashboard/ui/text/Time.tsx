import { ago, exactTime } from './time.ts'
import { useNow } from './use-now.ts'

/** When something happened: how long ago, with the exact time on hover. */
export function Time({ at }: { at: string }) {
  const date = new Date(at)
  const now = useNow()
  return (
    <time dateTime={at} title={exactTime(date)}>
      {ago(date, now)}
    </time>
  )
}
