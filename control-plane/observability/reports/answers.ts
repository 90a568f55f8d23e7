import type { ReportAnswer } from '#contract/observability/reports'

/** Points of `seconds` each from `from` on, which is a whole multiple of them, up to but not at `to`. */
export type Span = { from: Date; to: Date; seconds: number }
export type Series = ReportAnswer['series'][number]

/** From the beginning of the first point. */
export const spanOf = (from: Date, to: Date, seconds: number): Span => ({
  from: new Date(Math.floor(from.getTime() / (seconds * 1000)) * seconds * 1000),
  to,
  seconds,
})
export const countOf = ({ from, to, seconds }: Span): number =>
  Math.max(1, Math.ceil((to.getTime() - from.getTime()) / (seconds * 1000)))

/** A value for each point; `none` where there is none. */
export function filled(
  span: Span,
  values: Iterable<readonly [point: number, value: number | null]>,
  none: 0 | null,
): (number | null)[] {
  const all: (number | null)[] = Array.from({ length: countOf(span) }, () => none)
  for (const [point, value] of values)
    if (point >= 0 && point < all.length) all[point] = value ?? none
  return all
}

/** The beginning of a chart's answer; what it has is added. */
export const emptyAnswer = (span: Span): ReportAnswer => ({
  from: span.from.toISOString(),
  to: span.to.toISOString(),
  interval: span.seconds,
  at: Array.from(
    { length: countOf(span) },
    (_, point) => span.from.getTime() + point * span.seconds * 1000,
  ),
  series: [],
  table: null,
  cut: false,
  absent: null,
})

const numbers = (values: readonly (number | null)[]) => values.filter((value) => value !== null)
export const sum = (values: readonly (number | null)[]): number =>
  numbers(values).reduce((all, value) => all + value, 0)
export const highest = (values: readonly (number | null)[]): number | null =>
  numbers(values).reduce<number | null>((most, value) => Math.max(most ?? value, value), null)
