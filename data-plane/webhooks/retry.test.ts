import { describe, expect, test } from 'vitest'
import { failed, type Outcome } from './call.ts'
import { hasArrived, waitBefore } from './retry.ts'

const now = Date.parse('2026-11-27T10:00:00Z')
const status = (status_code: number, retryAfter?: string): Outcome => ({
  ...failed(''),
  error_msg: null,
  status_code,
  headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
})
const wait = (outcome: Outcome, tries = 1, random = 0.5, rule = { maxAttempts: 5, firstWait: 5 }) =>
  waitBefore(rule, { tries, outcome, now, random })

test.each([
  [200, true],
  [204, true],
  [199, false],
  [301, false],
  [404, false],
  [500, false],
])('%i has arrived: %s', (code, arrived) => {
  expect(hasArrived(status(code))).toBe(arrived)
  expect(hasArrived(failed('no route'))).toBe(false)
})

describe('no further attempt', () => {
  test('after the last, of a hook that is tried once, where nobody will ever be, and where nobody may be called', () => {
    expect(wait(status(500), 5)).toBeUndefined()
    expect(wait(status(500), 1, 0.5, { maxAttempts: 1, firstWait: 5 })).toBeUndefined()
    expect(wait(status(410))).toBeUndefined()
    expect(wait({ ...failed('10.0.0.1 is not a public address'), refused: true })).toBeUndefined()
  })
})

test('waits double, differ by a quarter, and end at six hours', () => {
  const rule = { maxAttempts: 20, firstWait: 5 }
  expect([1, 2, 3, 4].map((tries) => wait(status(500), tries))).toEqual([
    5000, 10_000, 20_000, 40_000,
  ])
  expect(wait(failed('no route'), 1, 0)).toBe(3750)
  expect(wait(failed('no route'), 1, 1)).toBe(6250)
  expect(wait(status(500), 19, 0.5, rule)).toBe(6 * 3_600_000)
})

test.each([
  ['120', 120_000],
  ['1', 5000],
  ['Fri, 27 Nov 2026 10:01:00 GMT', 60_000],
  ['Fri, 27 Nov 2026 09:00:00 GMT', 5000],
  ['999999999', 24 * 3_600_000],
  ['soon', 5000],
  ['-5', 5000],
])('Retry-After: %s is waited for', (header, ms) => {
  expect(wait(status(429, header))).toBe(ms)
})
