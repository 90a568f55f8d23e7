import type { LogHistogram } from '#contract/observability/logs'
import type { Range } from '../../../modules/logs/range.ts'

/** A bar: what was written from `from`, up to but not at `to` (milliseconds since 1970). */
export type Bar = Range & { info: number; warning: number; error: number; total: number }

/** More than this are too thin to point at. */
const most = 240

/** All bars of a range, also those without entries, which an answer may leave out. */
export function barsOf({ step, bars }: LogHistogram, range: Range): Bar[] {
  if (!(step > 0)) return []
  // Where the first bar begins tells how all of them lie.
  const offset = (bars[0]?.at ?? range.from) % step
  const start = Math.floor((range.from - offset) / step) * step + offset
  const count = Math.min(most, Math.max(1, Math.ceil((range.to - start) / step)))
  const known = new Map(bars.map((bar) => [Math.round((bar.at - start) / step), bar]))
  return Array.from({ length: count }, (_, at) => {
    const { info = 0, warning = 0, error = 0 } = known.get(at) ?? {}
    const from = start + at * step
    return { from, to: from + step, info, warning, error, total: info + warning + error }
  })
}

/** The time of some bars, cut to the range that they lie in. */
export function spanOf(bars: readonly Bar[], a: number, b: number, range: Range): Range {
  const from = bars[Math.min(a, b)]?.from ?? range.from
  const to = bars[Math.max(a, b)]?.to ?? range.to
  const cut = { from: Math.max(from, range.from), to: Math.min(to, range.to) }
  return cut.from < cut.to ? cut : { from, to }
}

/** Round steps of a clock, in milliseconds. */
const clockSteps = [1, 5, 15, 30]
  .map((s) => s * 1000)
  .concat([1, 2, 5, 10, 15, 30].map((min) => min * 60_000))
  .concat([1, 2, 3, 6, 12, 24, 48, 96, 168, 336].map((h) => h * 3_600_000))

/** At which times the axis is labelled, at most `count`: round ones in the reader's zone. */
export function ticksOf({ from, to }: Range, count: number): number[] {
  const step = clockSteps.find((ms) => (to - from) / ms <= count) ?? to - from
  const zone = new Date(from).getTimezoneOffset() * 60_000
  const first = Math.ceil((from - zone) / step) * step + zone
  return Array.from({ length: count + 1 }, (_, at) => first + at * step).filter((at) => at < to)
}
