import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dueOf } from './inactivity.ts'

const used = new Date('2026-03-01T00:00:00Z')
const after = (days: number) => new Date(used.getTime() + days * 86_400_000)
const due = (days: number, warned: Date | null = null, tier = 'tier_free' as const) =>
  dueOf({ tier, used_at: used, warned_at: warned }, after(days))

test('told on day 6, paused on day 7', () => {
  expect(due(5.99)).toBeUndefined()
  expect(due(6)).toBe('notice')
  expect(due(6.5, after(6))).toBeUndefined()
  expect(due(7, after(6))).toBe('pause')
})

test('who could not be told on day 6 is told later, and then has a whole day', () => {
  expect(due(9)).toBe('notice')
  expect(due(9.9, after(9))).toBeUndefined()
  expect(due(10, after(9))).toBe('pause')
})

test('a notice from before the last use is none', () => {
  expect(due(7, after(-1))).toBe('notice')
})

test.each(['tier_pro', 'tier_payg', 'tier_team', 'tier_enterprise'] as const)(
  '%s is never paused',
  (tier) => {
    expect(dueOf({ tier, used_at: used, warned_at: after(6) }, after(999))).toBeUndefined()
  },
)

test('whatever the times: nobody is paused who was used within a week or not told a day before', () => {
  const days = fc.double({ min: -20, max: 20, noNaN: true })
  fc.assert(
    fc.property(days, fc.option(days), (now, warned) => {
      const warned_at = warned === null ? null : after(warned)
      if (due(now, warned_at) !== 'pause') return
      expect(now).toBeGreaterThanOrEqual(7 - 1e-6)
      expect(warned_at?.getTime()).toBeGreaterThan(used.getTime())
      expect(now - (warned ?? now)).toBeGreaterThanOrEqual(1 - 1e-6)
    }),
  )
})
