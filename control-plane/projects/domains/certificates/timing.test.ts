import { expect, test } from 'vitest'
import { renewAt, waitAfter } from './timing.ts'

const minutes = (count: number) => count * 60_000

test('a certificate of 90 days is renewed after 60', () => {
  const notBefore = new Date('2026-01-01T00:00:00Z')
  const notAfter = new Date('2026-04-01T00:00:00Z')
  expect(renewAt({ notBefore, notAfter })).toEqual(new Date('2026-03-02T00:00:00Z'))
})

test('each failure in a row doubles the wait, up to a day', () => {
  const waits = [1, 2, 3, 4, 8, 1000].map((failures) => waitAfter(failures))
  expect(waits).toEqual([15, 30, 60, 120, 1440, 1440].map(minutes))
})

test('an authority that asks for more patience gets it, up to a week', () => {
  expect(waitAfter(1, minutes(5))).toBe(minutes(15))
  expect(waitAfter(1, minutes(180))).toBe(minutes(180))
  expect(waitAfter(1, minutes(10_000_000))).toBe(minutes(7 * 1440))
})
