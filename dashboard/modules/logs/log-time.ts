import { monthNames } from '../../ui/text/number.ts'
import { exactTime } from '../../ui/text/time.ts'

const padded = (value: number, length = 2) => String(value).padStart(length, '0')

/** '12 Jul', in the reader's zone. */
export const dayText = (ms: number): string => {
  const date = new Date(ms)
  return `${padded(date.getDate())} ${monthNames[date.getMonth()]}`
}

/** '14:03', in the reader's zone; with seconds where they matter. */
export function clockText(ms: number, withSeconds = false): string {
  const date = new Date(ms)
  const parts = [date.getHours(), date.getMinutes(), ...(withSeconds ? [date.getSeconds()] : [])]
  return parts.map((part) => padded(part)).join(':')
}

/** '14:03:22.123' of a time in microseconds, in the reader's zone. */
export const exactClock = (micros: number): string => {
  const ms = Math.floor(micros / 1000)
  return `${clockText(ms, true)}.${padded(ms % 1000, 3)}`
}

/** '18 Nov 2025, 09:41:07.123456 (+01:00)': all that is known of a time in microseconds, in the reader's zone. */
export function exactMicros(micros: number): string {
  const text = exactTime(new Date(Math.floor(micros / 1000)))
  return text.replace(' (', `.${padded(micros % 1_000_000, 6)} (`)
}

/** '12 Jul 14:03' to '14:18', or with the second day where there are two. */
export function spanText(from: number, to: number): string {
  const seconds = to - from < 60_000 || from % 60_000 !== 0
  const end = dayText(from) === dayText(to) ? '' : `${dayText(to)} `
  return `${dayText(from)} ${clockText(from, seconds)} to ${end}${clockText(to, seconds)}`
}
