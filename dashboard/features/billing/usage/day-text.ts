import { monthNames } from '../../../ui/text/number.ts'

/** `12 Mar`, of a day or a time; in UTC, as cycles are. */
export function dayText(at: string): string {
  const date = new Date(at)
  return `${date.getUTCDate()} ${monthNames[date.getUTCMonth()]}`
}

/** `10 Mar to 10 Apr 2026` */
export const cycleText = (start: string, end: string): string =>
  `${dayText(start)} to ${dayText(end)} ${new Date(end).getUTCFullYear()}`
