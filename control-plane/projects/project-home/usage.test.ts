import { expect, test } from 'vitest'
import { latencyBounds } from '#contract/projects/project-home'
import { p95 } from './usage.ts'

const histogram = (...counts: number[]) =>
  Array.from({ length: latencyBounds.length + 1 }, (_, at) => counts[at] ?? 0)

test('without answers there is no figure', () => {
  expect(p95(histogram())).toBeNull()
})

test('one answer has no percentile', () => {
  expect(p95(histogram(1))).toBeNull()
  expect(p95(histogram(0, 0, 0, 0, 1))).toBeNull()
})

test('as far into its class as it lies among the answers of that class', () => {
  expect(p95(histogram(100))).toBe(1)
  expect(p95(histogram(95, 5))).toBe(1)
  // Of 10 answers between 1 and 2 ms the fifth is meant.
  expect(p95(histogram(90, 10))).toBe(1.5)
  expect(p95(histogram(0, 0, 0, 100))).toBe(9.8)
})

test('what is slower than every bound counts as the last', () => {
  const slow = histogram()
  slow[latencyBounds.length] = 7
  expect(p95(slow)).toBe(latencyBounds.at(-1))
})
