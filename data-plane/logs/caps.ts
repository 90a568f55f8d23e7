import type { LogLevel } from '#contract/observability/log-sources'
import type { LostEvents } from '#contract/observability/logs'

type Options = {
  /** Writes down what was not let through. */
  lose: (ref: string, lost: LostEvents) => void
  /** Microseconds since 1970. */
  now: () => number
  perSecond?: number
  burst?: number
  everyMs?: number
}
type Bucket = { tokens: number; filledAt: number; lost: LostEvents | undefined }

/** What only an error or a warning may use: where there is too much of everything, those are what people look for. */
const reserved = 0.1

/** How many entries a project may write: so many a second, and as many at once as it did not use before. */
export function createCaps({
  lose,
  now,
  perSecond = 2000,
  burst = 20_000,
  everyMs = 1000,
}: Options) {
  const buckets = new Map<string, Bucket>()

  /** Tells of losses once a second, and forgets projects that are quiet again. */
  function round() {
    const time = now()
    for (const [ref, bucket] of buckets) {
      if (bucket.lost) lose(ref, bucket.lost)
      bucket.lost = undefined
      fill(bucket, time)
      if (bucket.tokens === burst) buckets.delete(ref)
    }
    if (buckets.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  let timer: NodeJS.Timeout | undefined

  return {
    allows(ref: string, level: LogLevel, time: number): boolean {
      let bucket = buckets.get(ref)
      if (!bucket) {
        bucket = { tokens: burst, filledAt: now(), lost: undefined }
        buckets.set(ref, bucket)
        timer ??= setInterval(round, everyMs).unref()
      }
      if (bucket.tokens < burst / 2) fill(bucket, now())
      const least = level === 'error' || level === 'warning' ? 1 : 1 + burst * reserved
      if (bucket.tokens >= least) {
        bucket.tokens -= 1
        return true
      }
      const { lost } = bucket
      bucket.lost = {
        from: Math.min(lost?.from ?? time, time),
        to: Math.max(lost?.to ?? time, time),
        count: (lost?.count ?? 0) + 1,
        reason: 'rate',
      }
      return false
    },
    close() {
      clearInterval(timer)
      for (const [ref, { lost }] of buckets) if (lost) lose(ref, lost)
      buckets.clear()
    },
  }

  function fill(bucket: Bucket, time: number) {
    // A clock that was set back gives nothing.
    const seconds = Math.max(0, time - bucket.filledAt) / 1_000_000
    bucket.tokens = Math.min(burst, bucket.tokens + seconds * perSecond)
    bucket.filledAt = time
  }
}
