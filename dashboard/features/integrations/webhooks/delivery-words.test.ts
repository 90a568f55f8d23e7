import { expect, test } from 'vitest'
import {
  countedWords,
  failureRate,
  isSecretHeader,
  outcomeOf,
  readable,
  stateOf,
} from './delivery-words.ts'

test.each([
  ['waiting', 0, 'Waiting', 'info'],
  ['waiting', 2, 'Retrying', 'warning'],
  ['delivered', 3, 'Delivered', 'success'],
  ['dead', 1, 'Dead letter', 'danger'],
] as const)('a call that is %s after %i attempts is "%s"', (state, attempts, word, tone) => {
  expect(stateOf({ state, attempts })).toEqual({ word, tone })
})

test.each([
  [204, false, '204', 'success'],
  [302, false, '302', 'warning'],
  [404, false, '404', 'danger'],
  [null, true, 'Timed out', 'danger'],
  [null, false, 'Failed', 'danger'],
] as const)('an attempt with %s is "%s"', (status_code, timed_out, word, tone) => {
  expect(outcomeOf({ status_code, timed_out, error_msg: null })).toEqual({ word, tone })
})

test('few failures are not none', () => {
  expect(failureRate({ ended: 0, failed: 0 })).toBe('–')
  expect(failureRate({ ended: 100, failed: 0 })).toBe('0%')
  expect(failureRate({ ended: 1000, failed: 1 })).toBe('< 1%')
  expect(failureRate({ ended: 3, failed: 1 })).toBe('33%')
})

test('headers with keys are told from others', () => {
  for (const name of ['Authorization', 'x-api-key', 'X-Auth-Token', 'Cookie', 'my-secret'])
    expect(isSecretHeader(name), name).toBe(true)
  for (const name of ['Content-Type', 'x-who']) expect(isSecretHeader(name), name).toBe(false)
})

test('JSON is laid out, other text is left alone', () => {
  expect(readable('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(readable('thanks')).toBe('thanks')
})

test('what is not counted any further says so', () => {
  expect(countedWords(9999)).toBe('9,999')
  expect(countedWords(10_000)).toBe('10,000+')
})
