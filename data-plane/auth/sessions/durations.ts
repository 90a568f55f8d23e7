import { invalid } from '../errors.ts'

const unitMs = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
const longestMs = 200 * 365 * 24 * unitMs.h

/** Milliseconds of a duration like "24h", "1h30m" or "90s"; "none" is undefined. */
export function parseDuration(text: string): number | undefined {
  if (text === 'none') return undefined
  if (!/^(?:\d{1,12}(?:\.\d{1,9})?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) {
    throw invalid('A duration is written like "24h" or "1h30m", or "none"')
  }
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)]
  const total = parts.reduce((sum, [, count, unit]) => sum + Number(count) * unitOf(unit), 0)
  return Math.min(total, longestMs)
}

function unitOf(unit: string | undefined): number {
  return Object.entries(unitMs).find(([name]) => name === unit)?.[1] ?? 0
}
