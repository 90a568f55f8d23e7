import type { Statement } from '#contract/observability/query-performance'
import { csvOf } from './figures.ts'

export function downloadCsv(statements: readonly Statement[]): void {
  const url = URL.createObjectURL(new Blob([csvOf(statements)], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'query-performance.csv'
  link.click()
  // The browser has taken what it needs when the click is over; a moment later is safe everywhere.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
