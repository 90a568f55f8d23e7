import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatCents } from '#contract/billing/money'
import { centsOf } from './cents.ts'

test('what is shown can be typed again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999_999_999 }), (cents) => {
      expect(centsOf(formatCents(cents))).toBe(cents)
    }),
  )
})

test.each([
  ['100', 10_000],
  [' 99.5 ', 9950],
  ['$ 7', 700],
  ['0.05', 5],
])('%s is %i cents', (text, cents) => {
  expect(centsOf(text)).toBe(cents)
})

test.each(['', 'ten', '1.234', '-5', '1,00', '1e3', '99999999999', '.5'])(
  '%j is no amount',
  (text) => {
    expect(centsOf(text)).toBeUndefined()
  },
)
