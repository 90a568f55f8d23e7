import type { LogDrainType } from '#contract/observability/log-drain-shapes'
import { createLimiter, type Limiter } from '#kit/concurrency'

/** Requests under way at a time. */
const places = { quick: 64, slow: 64, s3: 3, slowS3: 3 }

/**
 * Who may have a batch in memory and a request under way. Those that fail, or have answered late not long ago, wait for each
 * other, and quick ones never wait for them. Batches for S3 are larger, so fewer are made at a time.
 */
export function createPlaces(): (type: LogDrainType, isSlow: boolean) => Limiter {
  const of = (concurrency: number) => createLimiter({ concurrency })
  const usual = { quick: of(places.quick), slow: of(places.slow) }
  const large = { quick: of(places.s3), slow: of(places.slowS3) }
  return (type, isSlow) => (type === 's3' ? large : usual)[isSlow ? 'slow' : 'quick']
}
