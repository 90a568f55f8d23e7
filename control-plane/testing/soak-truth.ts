import type { MeteredMetric, SightingKind } from '#contract/billing/usage-metrics'

type Bucket = { start: string; ref: string; metric: MeteredMetric; minute: number; value: number }
type Sighting = { ref: string; kind: SightingKind; hash: string; minute: number }
/** Hours since 1970: from `from`, up to but not at `to`. */
export type Hours = { from: number; to: number }

const hourOf = (minute: number) => Math.floor(minute / 60)
const within = (minute: number, { from, to }: Hours) =>
  hourOf(minute) >= from && hourOf(minute) < to

/**
 * What was sent, kept in the plainest way there is and summed up anew for each question: what the platform says has to be the same to
 * the last unit.
 */
export function createTruth() {
  const buckets = new Map<string, Bucket>()
  const sightings = new Map<string, Sighting>()
  const stored = new Map<string, { ref: string; hour: number; bytes: number }>()

  const found = (refs: readonly string[], metrics: readonly MeteredMetric[], hours: Hours) =>
    [...buckets.values()].filter(
      ({ ref, metric, minute }) =>
        refs.includes(ref) && metrics.includes(metric) && within(minute, hours),
    )

  return {
    /** That a process had counted so much in a minute when it was last heard of. */
    bucket(one: Bucket): void {
      const key = JSON.stringify([one.start, one.ref, one.metric, one.minute])
      const before = buckets.get(key)
      if (!before || before.value < one.value) buckets.set(key, one)
    },
    sighting(one: Sighting): void {
      const key = JSON.stringify([one.ref, one.kind, one.hash, one.minute])
      sightings.set(key, one)
    },
    /** What a project stored when it was last asked in an hour. */
    storage(ref: string, hour: number, bytes: number): void {
      stored.set(JSON.stringify([ref, hour]), { ref, hour, bytes })
    },

    sum: (refs: readonly string[], metrics: readonly MeteredMetric[], hours: Hours): number =>
      found(refs, metrics, hours).reduce((sum, { value }) => sum + value, 0),

    /** The most that was open in any minute, of each project by itself. No two minutes of one process follow on each other. */
    peak(refs: readonly string[], hours: Hours): number {
      const highest = (ref: string) => {
        const minutes = new Map<number, number>()
        for (const { minute, value } of found([ref], ['realtime_connections'], hours))
          minutes.set(minute, (minutes.get(minute) ?? 0) + value)
        return Math.max(0, ...minutes.values())
      }
      return refs.reduce((sum, ref) => sum + highest(ref), 0)
    },

    /** Each counts once, by whichever hour of the cycle it was seen in. */
    seen: (refs: readonly string[], kind: SightingKind, hours: Hours): number =>
      new Set(
        [...sightings.values()]
          .filter((one) => refs.includes(one.ref) && one.kind === kind && within(one.minute, hours))
          .map(({ ref, hash }) => `${ref} ${hash}`),
      ).size,

    /** Bytes on average over hours, those in which nobody measured counting as nothing. */
    average(refs: readonly string[], { from, to }: Hours): number {
      const of = (ref: string) =>
        [...stored.values()]
          .filter((one) => one.ref === ref && one.hour >= from && one.hour < to)
          .reduce((sum, { bytes }) => sum + bytes, 0)
      return refs.reduce((sum, ref) => sum + Math.round(of(ref) / (to - from)), 0)
    },
  }
}
export type Truth = ReturnType<typeof createTruth>
