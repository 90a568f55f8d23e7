import { expect, test } from 'vitest'
import { dayOf, expiresAt, expiries } from './TokensPage.tsx'

const now = new Date('2026-03-04T10:00:00Z')

test.each([
  ['1h', '2026-03-04T11:00:00.000Z'],
  ['1d', '2026-03-05T10:00:00.000Z'],
  ['7d', '2026-03-11T10:00:00.000Z'],
  ['30d', '2026-04-03T10:00:00.000Z'],
] as const)('%s from now', (expiry, end) => {
  expect(expiresAt(expiry, '', now)?.toISOString()).toBe(end)
})

test('never', () => {
  expect(expiresAt('never', '2026-03-04', now)).toBeUndefined()
})

test('a chosen day counts to its end, today too', () => {
  const end = expiresAt('custom', dayOf(now), now)
  expect(end && dayOf(end)).toBe(dayOf(now))
  expect(end?.getTime()).toBeGreaterThan(now.getTime())
})

test('every choice has words of its own', () => {
  expect(new Set(expiries.map(({ label }) => label)).size).toBe(expiries.length)
})
