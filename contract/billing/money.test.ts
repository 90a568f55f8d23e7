import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  formatCents,
  formatDollars,
  formatRate,
  hourly,
  microCents,
  perUnit,
  share,
} from './money.ts'

test.each([
  [0, '$0.00'],
  [-0, '$0.00'],
  [25, '$25.00'],
  [599, '$599.00'],
  [1234.5, '$1,234.50'],
  [-9.99, '-$9.99'],
  [0.01, '$0.01'],
  [0.00325, '$0.00325'],
  [0.009, '$0.009'],
  [-0.0012, '-$0.0012'],
])('%d dollars are shown as %s (requirements §9)', (dollars, text) => {
  expect(formatDollars(dollars)).toBe(text)
})

test('money is written as the browser writes it', () => {
  const written = (dollars: number, minimumFractionDigits: number, maximumFractionDigits: number) =>
    new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: 'USD',
      minimumFractionDigits,
      maximumFractionDigits,
    }).format(dollars)
  const cents = fc.integer({ min: -1e12, max: 1e12 }).filter((value) => value !== 0)
  fc.assert(
    fc.property(cents, (value) => {
      expect(formatCents(value)).toBe(written(value / 100, 2, 2))
    }),
  )
  const rate = fc.integer({ min: 1, max: 1e11 }).filter((value) => value % 1e6 !== 0)
  fc.assert(
    fc.property(rate, (value) => {
      expect(formatRate(value)).toBe(written(value / 1e8, 0, 8))
    }),
  )
})

test('cents always have two decimals', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), (cents) => {
      const text = formatCents(cents)
      expect(text).toMatch(/^-?\$[\d,]+\.\d\d$/)
      expect(Math.round(Number(text.replaceAll(/[$,]/g, '')) * 100)).toBe(cents === 0 ? 0 : cents)
    }),
  )
})

test('rates are exact, however small', () => {
  expect(microCents(0.01344)).toBe(1_344_000)
  expect(formatRate(microCents(0.01344))).toBe('$0.01344')
  expect(formatRate(microCents(0.0206))).toBe('$0.0206')
  expect(formatRate(microCents(10))).toBe('$10.00')
  expect(hourly(microCents(0.01344), 3_600_000)).toBe(1)
  expect(hourly(microCents(0.01344), 730 * 3_600_000)).toBe(981)
  expect(hourly(microCents(5.12), 31 * 24 * 3_600_000)).toBe(380_928)
  expect(perUnit(microCents(0.00325), 1000)).toBe(325)
})

const price = fc.integer({ min: 0, max: 10_000_000 })
const ms = fc.integer({ min: 1, max: 31 * 86_400_000 })

test('a price that is split is never off by more than the rounding of its parts', () => {
  fc.assert(
    fc.property(price, ms, fc.nat(), (cents, whole, seed) => {
      const part = seed % (whole + 1)
      const parts = share(cents, part, whole) + share(cents, whole - part, whole)
      expect(Math.abs(parts - cents)).toBeLessThanOrEqual(1)
      expect(share(cents, whole, whole)).toBe(cents)
      expect(share(cents, 0, whole)).toBe(0)
      expect(share(cents, 2 * whole, whole)).toBe(cents)
    }),
  )
})

test('what is given back is what would have been charged', () => {
  fc.assert(
    fc.property(price, ms, ms, (cents, part, whole) => {
      expect(share(-cents, part, whole) + share(cents, part, whole)).toBe(0)
    }),
  )
})
