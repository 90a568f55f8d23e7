import { expect, test } from 'vitest'
import { csvRows, kindOf, lineOf, microsOf, chartOf } from './result.ts'

const noon = Date.parse('2026-03-10T12:00:00Z') * 1000
const answer = (columns: string[], ...rows: unknown[][]) => ({ columns, rows, cut: false })

test('what a column holds is told by all of its values', () => {
  const rows = [
    [noon, 3, 'GET', [{ a: 1 }], null, '2026-03-10T12:00:00.000000', 1e15 + 0.5, 5],
    [null, 4, '200', null, null, '2026-03-10 12:00:00Z', noon, noon],
  ]
  expect(rows[0]?.map((_, at) => kindOf({ rows }, at))).toEqual([
    'time',
    'number',
    'text',
    'object',
    'text',
    'time',
    'number',
    'number',
  ])
})

test('times of either dialect are the same moment, to the microsecond', () => {
  expect(microsOf(noon + 7)).toBe(noon + 7)
  expect(microsOf('2026-03-10T12:00:00.000007')).toBe(noon + 7)
  expect(microsOf('2026-03-10T12:00:00.123456Z')).toBe(noon + 123_456)
  expect(microsOf('2026-03-10T13:00:00+01:00')).toBe(noon)
  expect(microsOf('yesterday')).toBeUndefined()
})

test('values are one line, and what is missing says so', () => {
  expect([null, true, { a: [1] }, 'x'].map(lineOf)).toEqual(['NULL', 'true', '{"a":[1]}', 'x'])
})

test('a file has times in UTC, objects as JSON and nothing for what is missing', () => {
  const found = csvRows(answer(['at', 'n', 'm'], [noon + 5, 2, [{ a: 1 }]], [noon, null, null]))
  expect(found).toEqual([
    ['at', 'n', 'm'],
    ['2026-03-10T12:00:00.000005Z', 2, '[{"a":1}]'],
    ['2026-03-10T12:00:00.000000Z', null, null],
  ])
})

test('a chart needs times and numbers', () => {
  expect(chartOf(answer(['path', 'n'], ['/a', 1]))).toBeUndefined()
  expect(chartOf(answer(['at', 'path'], [noon, '/a']))).toBeUndefined()
  expect(chartOf(answer(['at', 'n']))).toBeUndefined()
})

test('a chart goes upwards in time, with a line for each column of numbers', () => {
  const second = noon / 1e6
  expect(chartOf(answer(['at', 'n', 'bad'], [noon + 1e6, 5, 1], [noon, 3, null]))).toEqual({
    time: 'at',
    x: [second, second + 1],
    series: [
      { name: 'n', values: [3, 5] },
      { name: 'bad', values: [null, 1] },
    ],
  })
})

test('one column of texts makes a line for each of its values, the largest first', () => {
  const second = noon / 1e6
  const found = chartOf(
    answer(['at', 'method', 'n'], [noon, 'GET', 1], [noon, 'POST', 5], [noon + 1e6, 'GET', 2]),
  )
  expect(found).toEqual({
    time: 'at',
    x: [second, second + 1],
    series: [
      { name: 'POST', values: [5, null] },
      { name: 'GET', values: [1, 2] },
    ],
  })
})
