import { expect, test } from 'vitest'
import { barsOf, spanOf, ticksOf } from './Histogram.tsx'

const bar = (at: number, error = 0) => ({ at, info: 2, warning: 0, error })
const minute = 60_000

test('bars without entries are there as well, as the answer cuts time', () => {
  const range = { from: 30_000, to: 5 * minute + 30_000 }
  const bars = barsOf({ step: minute, bars: [bar(minute), bar(3 * minute, 1)] }, range)
  expect(bars.map(({ from, total }) => [from / minute, total])).toEqual([
    [0, 0],
    [1, 2],
    [2, 0],
    [3, 3],
    [4, 0],
    [5, 0],
  ])
})

test('an answer without any entries is a chart of empty bars from the beginning of the range', () => {
  const bars = barsOf({ step: minute, bars: [] }, { from: 90_000, to: 90_000 + 3 * minute })
  expect(bars.map(({ from }) => from)).toEqual([90_000, 150_000, 210_000])
})

test('no answer makes more bars than can be drawn', () => {
  expect(barsOf({ step: 1, bars: [] }, { from: 0, to: 1e9 })).toHaveLength(240)
  expect(barsOf({ step: 0, bars: [] }, { from: 0, to: 1e9 })).toEqual([])
})

test('marked bars are their time within the range, whichever way they were marked', () => {
  const range = { from: 30_000, to: 3 * minute }
  const bars = barsOf({ step: minute, bars: [bar(0)] }, range)
  expect(spanOf(bars, 2, 1, range)).toEqual({ from: minute, to: 3 * minute })
  expect(spanOf(bars, 0, 0, range)).toEqual({ from: 30_000, to: minute })
})

test.each([
  [15 * minute, 8],
  [60 * minute, 8],
  [24 * 60 * minute, 3],
  [7 * 24 * 60 * minute, 8],
])('the axis of %d ms has round times, and no more than fit', (length, count) => {
  const from = Date.UTC(2026, 0, 8, 12, 7, 13)
  const ticks = ticksOf({ from, to: from + length }, count)
  expect(ticks.length).toBeGreaterThan(1)
  expect(ticks.length).toBeLessThanOrEqual(count + 1)
  expect(ticks.every((at) => at >= from && at < from + length && at % minute === 0)).toBe(true)
})
