import { monthNames } from './number.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** How long ago, as short as a table needs it: 'now', '18 min', '2 h', 'yesterday', '12 days', then the date. */
export function ago(date: Date, now: Date): string {
  const past = now.getTime() - date.getTime()
  if (past < -minute) return dayText(date)
  if (past < minute) return 'now'
  if (past < hour) return `${Math.floor(past / minute)} min`
  if (past < day) return `${Math.floor(past / hour)} h`
  if (past < 2 * day) return 'yesterday'
  if (past < 30 * day) return `${Math.floor(past / day)} days`
  return dayText(date)
}

const two = (n: number) => String(n).padStart(2, '0')
const dayText = (date: Date) =>
  `${two(date.getDate())} ${monthNames[date.getMonth()]} ${date.getFullYear()}`

/** '18 Nov 2025, 09:41:07 (+01:00)': the exact time, in the reader's zone. */
export function exactTime(date: Date): string {
  const offset = -date.getTimezoneOffset()
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  return `${dayText(date)}, ${clock} (${zone})`
}
