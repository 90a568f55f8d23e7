import { expect, test } from 'vitest'
import { momentOf } from './moment-of.ts'

test('a version that is a moment is told as one, others are only numbers', () => {
  expect(momentOf('20260131235959')).toBe('2026-01-31T23:59:59Z')
  expect(momentOf('20261331235959')).toBeUndefined()
  expect(momentOf('0001')).toBeUndefined()
})
