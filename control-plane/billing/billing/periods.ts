/** From `start`, up to and without `end`. */
export type Period = { start: Date; end: Date }

/** What the invoice of a period is known by. */
export const cycleKey = (end: Date) => `cycle:${end.toISOString()}`

export const lengthOf = ({ start, end }: Period): number => end.getTime() - start.getTime()

/** The same time of day so many months later, in UTC; the last day of the month where it has no such day. */
export function addMonths(date: Date, months: number): Date {
  const first = new Date(date)
  first.setUTCDate(1)
  first.setUTCMonth(first.getUTCMonth() + months)
  const days = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  first.setUTCDate(Math.min(date.getUTCDate(), days))
  return first
}

/**
 * The period that begins at `start`. Every end is counted from the anchor, so that one which began on the 31st comes
 * back to the 31st after February.
 */
export function periodFrom(anchor: Date, start: Date): Period {
  let months =
    (start.getUTCFullYear() - anchor.getUTCFullYear()) * 12 +
    start.getUTCMonth() -
    anchor.getUTCMonth()
  let end = addMonths(anchor, months)
  while (end <= start) end = addMonths(anchor, ++months)
  return { start, end }
}

/** Milliseconds that two spans have in common; an open end reaches to the other's. */
export function overlap(a: { start: Date; end: Date | null }, b: Period): number {
  const from = Math.max(a.start.getTime(), b.start.getTime())
  const to = Math.min((a.end ?? b.end).getTime(), b.end.getTime())
  return Math.max(0, to - from)
}
