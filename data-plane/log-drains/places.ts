import type { LogDrainType } from '#contract/observability/log-drain-shapes'
import { createLimiter, type Limiter } from '#kit/concurrency'

/** Requests under way at a time. Those of drains that fail may take their whole time, and take it from each other only. */
const places = { healthy: 64, failing: 16, s3: 3, s3Failing: 2 }

/**
 * Who may have a batch in memory and a request under way. One that hangs holds a place for one request; after that it fails,
 * and waits for others that fail. Batches for S3 are larger, so fewer are made at a time.
 */
export function createPlaces(): (type: LogDrainType, isFailing: boolean) => Limiter {
  const full = () => new Error('Any number may wait')
  const of = (concurrency: number) => createLimiter({ concurrency, maxQueued: Infinity, full })
  const usual = { healthy: of(places.healthy), failing: of(places.failing) }
  const large = { healthy: of(places.s3), failing: of(places.s3Failing) }
  return (type, isFailing) => (type === 's3' ? large : usual)[isFailing ? 'failing' : 'healthy']
}
