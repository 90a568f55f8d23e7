import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CallError } from './call-error.ts'
import { parseRetryAfter, retryDelay, shouldRetry } from './retry.ts'

const failed = (code: number, retryAfter?: number) => new CallError('no', { code, retryAfter })

test('a client error is final, except 429', () => {
  fc.assert(
    fc.property(fc.integer({ min: 400, max: 499 }), fc.nat(2), (code, failures) => {
      expect(shouldRetry(failures, failed(code))).toBe(code === 429)
    }),
  )
})

test('everything else is tried again, three times at most', () => {
  const errors = [
    failed(500),
    failed(503),
    failed(0),
    failed(399),
    new Error('no code'),
    'text',
    undefined,
  ]
  for (const error of errors) {
    expect([0, 1, 2, 3, 4].map((failures) => shouldRetry(failures, error))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  }
  expect(shouldRetry(3, failed(429))).toBe(false)
})

test('a code that is not a number does not make an error final', () => {
  expect(shouldRetry(0, { code: '404' })).toBe(true)
})

test('waits 1, 2, 4 seconds, never more than 30', () => {
  expect([0, 1, 2, 4, 5, 20].map((retry) => retryDelay(retry, failed(500)))).toEqual([
    1000, 2000, 4000, 16_000, 30_000, 30_000,
  ])
})

test('waits as long as the server asks for', () => {
  expect(retryDelay(0, failed(429, 7))).toBe(7000)
  expect(retryDelay(2, failed(503, 0))).toBe(0)
})

test('Retry-After in seconds and as a date', () => {
  const now = Date.parse('2025-11-18T09:00:00Z')
  expect(parseRetryAfter('12', now)).toBe(12)
  expect(parseRetryAfter('Tue, 18 Nov 2025 09:00:05 GMT', now)).toBe(5)
  expect(parseRetryAfter('Tue, 18 Nov 2025 08:00:00 GMT', now)).toBe(0)
  for (const bad of [null, '', ' ', 'soon', '-3']) expect(parseRetryAfter(bad, now)).toBeUndefined()
})
