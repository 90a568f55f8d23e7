import { expect, test } from 'vitest'
import type { SnippetChart } from '#contract/database/snippets'
import type { ResultField } from '#contract/database/sql/sql-query'
import { chartFor, firstChart, heightsOf, seriesOf } from './chart.ts'

const field = (name: string, type: string): ResultField => ({
  name,
  type,
  type_id: 0,
  table_id: 0,
  column: 0,
})
const fields = [field('month', 'date'), field('sum', 'numeric'), field('name', 'text')]
const rows = [
  ['2026-02-01', '2.5', 'b'],
  ['2026-01-01', null, 'a'],
  ['infinity', '9', 'x'],
  ['2026-03-01', 'NaN', 'c'],
]

test('the first choice needs a number to draw', () => {
  expect(firstChart({ fields })).toEqual({
    kind: 'line',
    x: 'month',
    y: ['sum'],
    cumulative: false,
  })
  expect(firstChart({ fields: [field('name', 'text')] })).toBeUndefined()
  expect(firstChart({ fields: [field('n', 'int4')] })).toMatchObject({ x: 'n', y: ['n'] })
})

test('a saved drawing counts as long as its columns are there', () => {
  const saved = { kind: 'scatter', x: 'name', y: ['sum'], cumulative: false } satisfies SnippetChart
  expect(chartFor({ fields }, saved)).toBe(saved)
  expect(chartFor({ fields }, { ...saved, x: 'gone' })).toMatchObject({ x: 'month' })
  expect(chartFor({ fields }, null)).toMatchObject({ x: 'month' })
})

test('times stand in their order, and what is no value is a gap or left out', () => {
  const series = seriesOf(
    { fields, rows },
    { kind: 'line', x: 'month', y: ['sum'], cumulative: false },
  )
  expect(series.x).toEqual(
    ['2026-01-01', '2026-02-01', '2026-03-01'].map((day) => Date.parse(day) / 1000),
  )
  expect(series.y).toEqual([{ name: 'sum', values: [null, 2.5, null] }])
  expect(series).toMatchObject({ kind: 'time', left: 1 })
})

test('words stand where they came, and sums add up past gaps', () => {
  const series = seriesOf(
    { fields, rows },
    { kind: 'bar', x: 'name', y: ['sum'], cumulative: true },
  )
  expect(series).toMatchObject({ kind: 'label', labels: ['b', 'a', 'x', 'c'], x: [0, 1, 2, 3] })
  expect(series.y[0]?.values).toEqual([2.5, null, 11.5, null])
})

test('zones and fractions of Postgres are understood', () => {
  const at = [field('at', 'timestamptz'), field('n', 'money')]
  const chart = { kind: 'line', x: 'at', y: ['n'], cumulative: false } satisfies SnippetChart
  const series = seriesOf({ fields: at, rows: [['2026-01-01 02:00:00.5+02', '-$1,234.50']] }, chart)
  expect(series.x).toEqual([Date.UTC(2026, 0, 1) / 1000 + 0.5])
  expect(series.y[0]?.values).toEqual([-1234.5])
})

test.each([
  ['bar', 98, 100, [0, 105]],
  ['area', 98, 100, [0, 105]],
  ['bar', -100, -98, [-105, 0]],
  ['bar', -100, 100, [-105, 105]],
  ['bar', 0, 0, [0, 1]],
  ['bar', null, null, [0, 1]],
  ['line', 98, 100, undefined],
  ['scatter', 98, 100, undefined],
] as const)(
  'values of a %s from %s to %s are drawn from and to %j',
  (kind, least, max, expected) => {
    expect(heightsOf(kind, least, max)).toEqual(expected)
  },
)
