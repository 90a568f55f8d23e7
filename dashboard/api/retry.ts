/**
 * The requirements' retry policy for reading (§8): at most 3 retries; a code from 400 to 499 is final, except 429;
 * what has no code, or another one, is tried again.
 */
export function shouldRetry(failures: number, error: unknown): boolean {
  if (failures >= 3) return false
  const code = numberIn(error, 'code')
  return code === undefined || code < 400 || code > 499 || code === 429
}

/** Milliseconds before retry number `retry` (from 0): what the server asked for, else 1 s doubling up to 30 s. */
export function retryDelay(retry: number, error: unknown): number {
  const after = numberIn(error, 'retryAfter')
  return after === undefined ? Math.min(1000 * 2 ** retry, 30_000) : after * 1000
}

function numberIn(error: unknown, key: 'code' | 'retryAfter'): number | undefined {
  if (typeof error !== 'object' || error === null || !(key in error)) return undefined
  // `in` above proved the key; TypeScript does not narrow by a variable.
  const value = (error as Record<typeof key, unknown>)[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Seconds of a Retry-After header: a number, or a date seen from `now` (ms). undefined when there is none to read. */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
  if (!header?.trim()) return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds : undefined
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000))
}
