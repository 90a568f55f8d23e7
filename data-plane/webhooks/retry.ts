import type { Outcome } from './call.ts'

/** How a hook tries again: how often in all, and the seconds before the second attempt. */
export type RetryRule = { maxAttempts: number; firstWait: number }

const longestWaitMs = 6 * 3_600_000
const longestAskedMs = 24 * 3_600_000

/** Whether an attempt has arrived: any answer of success. Redirects are not followed, so they are none. */
export const hasArrived = ({ status_code: status }: Outcome): boolean =>
  status !== null && status >= 200 && status <= 299

/**
 * Milliseconds until the next attempt; undefined: there is none. Waits double and differ by a quarter to either side, so that calls
 * that failed together do not come back together. A receiver that names a time gets no call before it.
 * `tries`: attempts that were made, 1 after the first. `random`: from 0 to 1.
 */
export function waitBefore(
  rule: RetryRule,
  { tries, outcome, now, random }: { tries: number; outcome: Outcome; now: number; random: number },
): number | undefined {
  // Gone says that nobody will ever be there; an address that may not be called will not be called tomorrow.
  if (tries >= rule.maxAttempts || outcome.status_code === 410 || outcome.refused) return undefined
  const doubled = Math.min(longestWaitMs, rule.firstWait * 1000 * 2 ** Math.min(tries - 1, 30))
  const own = doubled * (0.75 + random / 2)
  return Math.max(own, Math.min(longestAskedMs, askedWait(outcome.headers?.['retry-after'], now)))
}

/** `Retry-After`: seconds, or a date. */
function askedWait(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? 0 : Math.max(0, at - now)
}
