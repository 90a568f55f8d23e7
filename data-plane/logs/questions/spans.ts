import type { Kept } from '../log-store.ts'
import type { Span } from '../files/days.ts'

/** A moment of a question in microseconds. The question was checked: it is one. */
export const microsOf = (instant: string): number => Date.parse(instant) * 1000

/** What of a range may be answered. Empty spans have `from` at or behind `to`. */
export const keptSpan = (range: { from: string; to: string }, { since }: Kept): Span => ({
  from: Math.max(microsOf(range.from), since),
  to: microsOf(range.to),
})

export const isEmpty = ({ from, to }: Span): boolean => from >= to
