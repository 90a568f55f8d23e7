import { expect, test } from 'vitest'
import { ago, exactTime } from './time.ts'

const now = new Date('2025-11-18T12:00:00Z')
const before = (ms: number) => ago(new Date(now.getTime() - ms), now)
const minute = 60_000

test.each([
  [0, 'now'],
  [59_999, 'now'],
  [minute, '1 min'],
  [59 * minute, '59 min'],
  [60 * minute, '1 h'],
  [23.9 * 60 * minute, '23 h'],
  [24 * 60 * minute, 'yesterday'],
  [47 * 60 * minute, 'yesterday'],
  [48 * 60 * minute, '2 days'],
  [29 * 24 * 60 * minute, '29 days'],
])('%i ms ago is %s', (ms, words) => {
  expect(before(ms)).toBe(words)
})

test('long ago, and the future, are dates', () => {
  expect(before(40 * 24 * 60 * minute)).toMatch(/^\d\d Oct 2025$/)
  expect(before(-3 * 24 * 60 * minute)).toMatch(/^\d\d Nov 2025$/)
})

test('the exact time names its zone', () => {
  expect(exactTime(now)).toMatch(/^18 Nov 2025, \d\d:\d\d:00 \([+-]\d\d:\d\d\)$/)
})
