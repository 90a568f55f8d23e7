import { createHash, randomUUID } from 'node:crypto'
import type {
  MeteredMetric,
  PeakMetric,
  SightingKind,
  SumMetric,
  UsageBucket,
  UsageSighting,
} from '#contract/billing/usage-metrics'

type Held = UsageBucket & {
  /** What was taken for good; -1 while nothing was. */
  taken: number
}
/** So many minutes may a clock go back before a new start is counted from. */
const steadyMinutes = 2
/** Who was seen is known for this long, so that each is told once an hour, also in the next cycle. */
const knownMinutes = 60

type Options = { now?: () => number; maxBuckets?: number; maxKnown?: number }

/** What this process has counted and nobody has taken for good yet, in memory. */
export function createBuckets(options: Options = {}) {
  const { now = Date.now, maxBuckets = 200_000, maxKnown = 200_000 } = options
  const held = new Set<Held>()
  /** By project and metric. */
  const newest = new Map<string, Held>()
  const changed = new Set<Held>()
  /** Taken as far as they went, in a minute that was not over. */
  const open = new Set<Held>()
  const origins = new WeakMap<UsageBucket, Held>()
  let start = randomUUID()
  let last = 0
  let known = new Set<string>()
  let knownSince = 0
  const sightings = new Map<string, UsageSighting>()
  const fresh = new Set<UsageSighting>()
  let lost = 0

  /**
   * A clock that is set back would count on in buckets that were taken and forgotten. So the minutes of one start never go back: a
   * little is waited out in the newest minute, and after more this process counts as started anew.
   */
  function minuteNow(): number {
    const minute = Math.floor(now() / 60_000)
    if (minute >= last) last = minute
    else if (last - minute > steadyMinutes) {
      start = randomUUID()
      last = minute
      newest.clear()
    }
    return last
  }

  /**
   * The bucket to count in. When very many wait because nobody takes them, counting goes on in an older minute of the same
   * project and metric: what is lost then is when it was, not how much.
   */
  function bucketOf(ref: string, metric: MeteredMetric): Held | undefined {
    const minute = minuteNow()
    const key = `${ref} ${metric}`
    const found = newest.get(key)
    if (found?.minute === minute) return found
    if (held.size >= maxBuckets) return found && held.has(found) ? found : undefined
    const bucket: Held = { start, ref, metric, minute, value: 0, taken: -1 }
    held.add(bucket)
    newest.set(key, bucket)
    return bucket
  }

  function shape(bucket: Held): UsageBucket {
    const { taken: _, ...shaped } = bucket
    origins.set(shaped, bucket)
    return shaped
  }
  function forget(bucket: Held): void {
    held.delete(bucket)
    const key = `${bucket.ref} ${bucket.metric}`
    if (newest.get(key) === bucket) newest.delete(key)
  }

  return {
    add(ref: string, metric: SumMetric, amount: number): void {
      if (!(amount > 0)) return
      const bucket = bucketOf(ref, metric)
      if (!bucket) {
        lost += 1
        return
      }
      bucket.value += amount
      changed.add(bucket)
    },

    peak(ref: string, metric: PeakMetric, level: number): void {
      if (level <= 0) return
      const bucket = bucketOf(ref, metric)
      if (!bucket || bucket.value >= level) return
      bucket.value = level
      changed.add(bucket)
    },

    seen(ref: string, kind: SightingKind, id: string): void {
      const minute = minuteNow()
      if (minute - knownSince >= knownMinutes || minute < knownSince || known.size >= maxKnown) {
        known = new Set()
        knownSince = minute - (minute % knownMinutes)
      }
      const key = `${ref} ${kind} ${id}`
      if (known.has(key)) return
      known.add(key)
      const hash = createHash('sha256').update(key).digest().subarray(0, 16).toString('base64url')
      const sighting = { ref, kind, hash, minute }
      sightings.set(`${kind} ${hash}`, sighting)
      fresh.add(sighting)
    },

    /** What has changed since this was asked the last time, as it is now. */
    takeChanged() {
      const entries = { buckets: [...changed].map(shape), sightings: [...fresh] }
      changed.clear()
      fresh.clear()
      return entries
    },
    /** It could not be written: it has changed since, as it were. */
    putBack({ sightings: all }: { sightings: readonly UsageSighting[] }): void {
      for (const bucket of held) if (bucket.value > bucket.taken) changed.add(bucket)
      for (const sighting of all) fresh.add(sighting)
    },

    /** All that nobody has taken. */
    waiting: () => ({
      buckets: [...held].filter(({ value, taken }) => value > taken).map(shape),
      sightings: [...sightings.values()],
    }),

    /**
     * These, which `waiting` gave, were taken for good. Buckets of past minutes are forgotten when nothing has come to them
     * meanwhile.
     */
    taken(sent: { buckets: readonly UsageBucket[]; sightings: readonly UsageSighting[] }): void {
      const minute = minuteNow()
      for (const shaped of sent.buckets) {
        const bucket = origins.get(shaped)
        if (!bucket) continue
        bucket.taken = Math.max(bucket.taken, shaped.value)
        const isPast = bucket.minute < minute || bucket.start !== start
        if (isPast && bucket.value <= bucket.taken) forget(bucket)
        else open.add(bucket)
      }
      for (const bucket of open) {
        if (bucket.minute >= minute && bucket.start === start) continue
        open.delete(bucket)
        if (bucket.value <= bucket.taken) forget(bucket)
      }
      for (const { kind, hash, minute: at } of sent.sightings) {
        const key = `${kind} ${hash}`
        if (sightings.get(key)?.minute === at) sightings.delete(key)
      }
    },

    /** How often nothing could be counted since this was asked the last time. */
    takeLost(): number {
      const before = lost
      lost = 0
      return before
    },
  }
}
export type Buckets = ReturnType<typeof createBuckets>
