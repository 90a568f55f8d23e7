/** Milliseconds. */
export type BackOff = { firstMs: number; mostMs: number }
export const usualBackOff: BackOff = { firstMs: 1000, mostMs: 300_000 }

/** The other side may not ask for more. */
const longestAskedMs = 3_600_000

/**
 * How long to wait after so many failures in a row: twice as long each time, spread so that many do not come back at once,
 * and no less than the other side asks for.
 */
export function waitAfter(
  failures: number,
  askedMs = 0,
  { firstMs, mostMs }: BackOff = usualBackOff,
  random: () => number = Math.random,
): number {
  const whole = Math.min(firstMs * 2 ** Math.min(failures - 1, 30), mostMs)
  return Math.max(whole * (0.5 + random() / 2), Math.min(askedMs, longestAskedMs))
}
