import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { ApiError } from '../errors.ts'

/** At most `perMinute` calls a minute for one key. The returned function throws rate_limited with the seconds to wait. */
export function createRateLimit(perMinute: number): (key: string) => Promise<void> {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return async (key) => {
    try {
      await limiter.consume(key)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw new ApiError('rate_limited', undefined, Math.ceil(refusal.msBeforeNext / 1000))
    }
  }
}
