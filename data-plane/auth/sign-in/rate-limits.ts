import { createHash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Log } from '#kit/log'
import { network } from '#kit/network/network'
import type { RateLimit } from '../config.ts'
import { AuthError, type AuthErrorCode } from '../errors.ts'
import type { Caller } from '../tenant.ts'

/** Where several programs count together. `key` is a digest of what is limited. */
export type SharedCounts = {
  /** Counts one try; the seconds to wait when it is one too many. */
  count(key: string, limit: RateLimit): Promise<number | undefined>
  giveBack(key: string, limit: RateLimit): Promise<void>
}

/**
 * Limits of tries. They are counted in this process, or by `shared` when it says that there are others: asked each time, because others
 * come and go. While nobody can be asked, each counts for itself, so n of them let through at most n times as much.
 */
export function createRateLimits(log: Log, shared: () => SharedCounts | undefined = alone) {
  const limiters = new Map<string, RateLimiterMemory>()

  function limiterOf(name: string, limit: RateLimit): RateLimiterMemory {
    const key = `${name}:${limit.points}:${limit.seconds}`
    const known = limiters.get(key)
    if (known) return known
    const made = new RateLimiterMemory({ points: limit.points, duration: limit.seconds })
    limiters.set(key, made)
    return made
  }

  const digestOf = (name: string, limit: RateLimit, key: string) =>
    createHash('sha256')
      .update(JSON.stringify([name, limit.points, limit.seconds, key]))
      .digest('hex')

  /** Counts one attempt; undefined when it is within the limit, otherwise the seconds to wait. */
  async function consume(name: string, limit: RateLimit, key: string): Promise<number | undefined> {
    const together = shared()
    if (together) {
      try {
        return await together.count(digestOf(name, limit, key), limit)
      } catch (error) {
        log.warn({ err: error }, 'limits are counted by this program alone')
      }
    }
    try {
      await limiterOf(name, limit).consume(key)
      return undefined
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return seconds(refusal)
      throw refusal
    }
  }

  async function giveBack(name: string, limit: RateLimit, key: string): Promise<void> {
    const together = shared()
    if (!together) return void (await limiterOf(name, limit).reward(key, 1))
    try {
      await together.giveBack(digestOf(name, limit, key), limit)
    } catch (error) {
      // A try that succeeded counts as one that failed then.
      log.warn({ err: error }, 'a limit could not be given back')
    }
  }

  /** Counts a request of this caller's address; throws 429 when there were too many. */
  async function perAddress(
    { tenant, ip }: Caller,
    name: 'token' | 'signup' | 'verify' | 'otp' | 'anonymous' | 'mfa' | 'web3',
  ): Promise<void> {
    const limit = tenant.config.rateLimits[name]
    const wait = await consume(name, limit, `${tenant.id}:${network(ip)}`)
    if (wait !== undefined) throw tooMany('over_request_rate_limit', wait)
  }

  /**
   * Counts an attempt on one account as a failure before it is known to be one, so that a thousand at the same moment
   * count too; throws 429 once there were too many. Call the result after a success: it takes the count back.
   * Unknown accounts are counted alike, so a limit says nothing about who exists.
   */
  async function attempt(
    { tenant }: Caller,
    name: 'passwordFailures' | 'otpFailures' | 'mfaFailures',
    account: string,
  ): Promise<() => Promise<void>> {
    const limit = tenant.config.rateLimits[name]
    const key = `${tenant.id}:${account}`
    const wait = await consume(name, limit, key)
    if (wait !== undefined) throw tooMany('over_request_rate_limit', wait)
    return () => giveBack(name, limit, key)
  }

  /** Counts a mail for this address and purpose and for the tenant; throws 429 before either is too much. */
  async function mail({ tenant }: Caller, purpose: string, address: string): Promise<void> {
    const { mailIntervalSeconds, rateLimits } = tenant.config
    if (mailIntervalSeconds > 0) {
      const interval = { points: 1, seconds: mailIntervalSeconds }
      const wait = await consume('mail', interval, `${tenant.id}:${purpose}:${address}`)
      if (wait !== undefined) throw tooSoon('over_email_send_rate_limit', wait)
    }
    const wait = await consume('emails', rateLimits.emails, tenant.id)
    if (wait !== undefined) throw tooMany('over_email_send_rate_limit', wait)
  }

  /**
   * Counts a text message to this number, for its purpose, and for the tenant; throws 429 before either is too much. One that is not
   * really sent, to a test number, takes nothing from the tenant's.
   */
  async function sms(
    { tenant }: Caller,
    phone: string,
    {
      isTest,
      purpose = 'sms',
      intervalSeconds = tenant.config.smsIntervalSeconds,
    }: { isTest: boolean; purpose?: 'sms' | 'factor'; intervalSeconds?: number },
  ) {
    const { rateLimits } = tenant.config
    if (intervalSeconds > 0) {
      const interval = { points: 1, seconds: intervalSeconds }
      const wait = await consume(purpose, interval, `${tenant.id}:${phone}`)
      if (wait !== undefined) throw tooSoon('over_sms_send_rate_limit', wait)
    }
    if (isTest) return
    const wait = await consume('texts', rateLimits.sms, tenant.id)
    if (wait !== undefined) throw tooMany('over_sms_send_rate_limit', wait)
  }

  return { perAddress, attempt, mail, sms }
}
const alone = () => undefined

export type Limiter = ReturnType<typeof createRateLimits>

/** The refusal of a second message within the interval; client libraries show these words. */
function tooSoon(code: AuthErrorCode, wait: number): AuthError {
  const message = `For security purposes, you can only request this after ${wait} seconds.`
  return new AuthError(code, message, { retryAfter: wait })
}

function tooMany(code: AuthErrorCode, wait: number): AuthError {
  return new AuthError(code, undefined, { retryAfter: wait })
}

function seconds(state: RateLimiterRes): number {
  return Math.max(1, Math.ceil(state.msBeforeNext / 1000))
}
