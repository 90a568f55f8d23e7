import { expect, test } from 'vitest'
import { chartKeys, chartOf } from '#contract/observability/report-charts'
import { reportKeys, reportOf } from '#contract/observability/report-pages'
import type { ReportAnswer } from '#contract/observability/reports'
import { changeText, csvRows, headline, isEmpty, sheetOf, valueText } from './figures.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 0, 1)
const answer = (more: Partial<ReportAnswer>): ReportAnswer => ({
  from: new Date(start).toISOString(),
  to: new Date(start + hour).toISOString(),
  interval: 60,
  at: [start, start + 60_000],
  series: [],
  table: null,
  cut: false,
  absent: null,
  ...more,
})
const counts = answer({
  series: [
    { name: 'REST', values: [1, 2], summary: 3 },
    { name: 'Auth', values: [0, null], summary: 0 },
  ],
})

test('every chart is in some report, and every report has charts', () => {
  const used = new Set(reportKeys.flatMap((key) => reportOf(key).charts))
  expect(chartKeys.filter((key) => !used.has(key))).toEqual([])
  expect(reportKeys.filter((key) => reportOf(key).charts.length === 0)).toEqual([])
})

test('what adds up is added up, of levels the highest counts, and of durations the 95th percentile', () => {
  expect(headline(chartOf('api_requests'), counts)).toBe(3)
  const speeds = answer({
    series: ['p50', 'p95', 'p99'].map((name, at) => ({ name, values: [], summary: at + 1 })),
  })
  expect(headline(chartOf('api_speed'), speeds)).toBe(2)
  const levels = answer({
    series: [
      { name: 'a', values: [], summary: null },
      { name: 'b', values: [], summary: 7 },
    ],
  })
  expect(headline(chartOf('database_cpu'), levels)).toBe(7)
  expect(headline(chartOf('api_top_paths'), levels)).toBeNull()
})

test.each([
  [3, 2, '+50%'],
  [1, 2, '−50%'],
  [2, 2, '±0%'],
  [2, 0, undefined],
  [null, 2, undefined],
])('%d after %d is %s', (now, then, text) => {
  expect(changeText(now, then)).toBe(text)
})

test('a file has times in ISO 8601, numbers as they are, and the time before beside them', () => {
  const chart = chartOf('api_traffic')
  const sheet = sheetOf(
    chart,
    counts,
    answer({ series: [{ name: 'REST', values: [9], summary: 9 }] }),
  )
  expect(csvRows(sheet, true)).toEqual([
    ['Time', 'REST (bytes)', 'Auth (bytes)', 'REST before (bytes)', 'Auth before (bytes)'],
    ['2026-01-01T00:00:00.000Z', 1, 0, 9, null],
    ['2026-01-01T00:01:00.000Z', 2, null, null, null],
  ])
})

test('a count of nothing is nothing to draw, and a level that was measured is something', () => {
  const zeros = answer({ series: [{ name: 'a', values: [0, null], summary: 0 }] })
  expect(isEmpty(chartOf('api_requests'), counts)).toBe(false)
  expect(isEmpty(chartOf('api_requests'), zeros)).toBe(true)
  expect(isEmpty(chartOf('database_connections'), zeros)).toBe(false)
  const table = { columns: [], rows: [] }
  expect(isEmpty(chartOf('api_top_paths'), answer({ table }))).toBe(true)
})

test.each([
  ['bytes', 2048, '2 kB'],
  ['ms', 1640, '1.6 s'],
  ['percent', 12.4, '12.4%'],
  ['count', 12_345, '12,345'],
  ['count', null, '–'],
  ['text', '<b>', '<b>'],
] as const)('%s %s is said as %s', (unit, value, text) => {
  expect(valueText(unit, value)).toBe(text)
})
