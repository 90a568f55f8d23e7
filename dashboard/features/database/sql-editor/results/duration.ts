import { counted } from '../../../../ui/text/number.ts'

/** Milliseconds as people say them: 0.4 ms, 46 ms, 1.2 s, 2 min 5 s. */
export function durationText(ms: number): string {
  if (ms < 0.95) return `${Math.max(0.1, ms).toFixed(1)} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** A number of rows in words: "1 row", "12,000 rows". */
export const rowsText = (count: number): string => counted(count, 'row')
