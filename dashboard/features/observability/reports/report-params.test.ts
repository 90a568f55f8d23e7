import { expect, test } from 'vitest'
import { pointsOf, usualInterval } from '#contract/observability/reports'
import { intervalOf, intervalsFor, servicesOf } from './report-params.ts'

const hour = 3_600_000
const day = 24 * hour

test.each([
  [hour, '1m'],
  [3 * hour, '1m'],
  [day, '15m'],
  [7 * day, '1h'],
  [28 * day, '6h'],
  [90 * day, '1d'],
])('a range of %d ms is drawn by %s', (ms, interval) => {
  expect(usualInterval(ms)).toBe(interval)
  expect(intervalsFor({ from: 0, to: ms })).toContain(interval)
})

test('an interval that does not fit the range gives way to one that does', () => {
  expect(intervalOf('1m', { from: 0, to: 7 * day })).toBe('1h')
  expect(intervalOf('6h', { from: 0, to: hour })).toBe('1m')
  expect(intervalOf('15m', { from: 0, to: day })).toBe('15m')
  expect(pointsOf(7 * day, '1m')).toBeGreaterThan(750)
})

test('services that an address makes up are left out', () => {
  expect(servicesOf(['auth', 'nonsense', 'rest'])).toEqual(['rest', 'auth'])
})
