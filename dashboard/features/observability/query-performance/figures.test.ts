import { expect, test } from 'vitest'
import { csvOf, duration, oneLine, percent } from './figures.ts'

test('times from microseconds to hours', () => {
  expect([0.041, 0.996, 12.34, 999, 4200, 90_000, 7_560_000].map(duration)).toEqual([
    '0.04 ms',
    '1.00 ms',
    '12.3 ms',
    '999.0 ms',
    '4.20 s',
    '1.50 min',
    '2.10 h',
  ])
})

test('parts of one; almost nothing is not nothing', () => {
  expect([0, 0.0002, 0.9918, 0.9999, 1].map(percent)).toEqual([
    '0.0 %',
    '< 0.1 %',
    '99.2 %',
    '100 %',
    '100 %',
  ])
})

test('a text with quotes, commas and lines stays one field', async () => {
  const statement = {
    queryid: '1',
    query: 'select "a",\n b',
    role: 'postgres',
    calls: 2,
    total_time: 3.5,
    mean_time: 1.75,
    min_time: 1,
    max_time: 2.5,
    rows: 4,
    cache_hit: null,
    share: 1,
  }
  const [, line] = (await csvOf([statement])).split('\r\n')
  expect(line).toBe('"select ""a"",\n b",postgres,2,3.5,1.75,1,2.5,4,,1')
  expect(oneLine(statement.query)).toBe('select "a", b')
})
