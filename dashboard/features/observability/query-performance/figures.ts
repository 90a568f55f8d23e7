import type { Statement } from '#contract/observability/query-performance'
import { numberText } from '../../../ui/text/number.ts'

const units = [
  { from: 3_600_000, unit: 'h' },
  { from: 60_000, unit: 'min' },
  { from: 1000, unit: 's' },
] as const

/** Milliseconds as a table shows them: `0.04 ms`, `12.3 ms`, `4.20 s`, `2.10 h`. */
export function duration(ms: number): string {
  const big = units.find(({ from }) => ms >= from)
  if (big) return `${(ms / big.from).toFixed(2)} ${big.unit}`
  return `${ms.toFixed(ms < 1 ? 2 : 1)} ms`
}

export const count = (n: number) => numberText(Math.round(n))

/** A part of one: `99.2 %`; less than a tenth of a percent is said as such. */
export function percent(part: number): string {
  const value = part * 100
  if (value > 0 && value < 0.1) return '< 0.1 %'
  return `${value >= 99.95 ? value.toFixed(0) : value.toFixed(1)} %`
}

export const oneLine = (query: string) => query.replaceAll(/\s+/g, ' ').trim()

const columns = [
  'query',
  'role',
  'calls',
  'total_time',
  'mean_time',
  'min_time',
  'max_time',
  'rows',
  'cache_hit',
  'share',
] as const

/** The list as CSV (RFC 4180), times in milliseconds. */
export const csvOf = async (statements: readonly Statement[]): Promise<string> =>
  (await import('../../../ui/csv.ts')).csvText([
    columns,
    ...statements.map((statement) => columns.map((name) => statement[name])),
  ])
