import { expect, test } from 'vitest'
import { shortCount } from './short-count.ts'

test.each([
  [0, '0'],
  [1904, '1,904'],
  [9999, '9,999'],
  [12_940, '12.9k'],
  [131_200, '131k'],
  [999_499, '999k'],
  [2_100_000, '2.1M'],
  [5_000_000_000, '5G'],
])('%i is %s', (count, text) => {
  expect(shortCount(count)).toBe(text)
})
