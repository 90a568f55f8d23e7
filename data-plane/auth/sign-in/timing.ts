import { setTimeout as delay } from 'node:timers/promises'

/** Longer than the database work behind any of these answers on an idle machine. */
const floorMs = 100

/**
 * Answers no sooner than a fixed time, error or not. For endpoints that do more when an account exists than when it
 * does not: how long the answer takes must not tell which.
 */
export async function atLeast<T>(work: () => Promise<T>, ms = floorMs): Promise<T> {
  const [result] = await Promise.allSettled([work(), delay(ms)])
  if (result.status === 'rejected') throw result.reason
  return result.value
}
