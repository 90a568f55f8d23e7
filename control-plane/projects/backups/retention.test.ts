import { expect, test } from 'vitest'
import { covers, keptDays, nextDue, tierDays, windowsKept } from './retention.ts'

const hour = 3_600_000
const start = Date.UTC(2026, 0, 1)
const at = (hours: number) => new Date(start + hours * hour)
const row = (
  reason: 'scheduled' | 'manual',
  status: 'COMPLETED' | 'PENDING' | 'FAILED',
  hours: number,
) => ({ reason, status, inserted_at: at(hours), finished_at: at(hours + 0.5) })
const due = (rows: ReturnType<typeof row>[], wal: Date | null = null) =>
  (nextDue({ inserted_at: at(0), keeps_wal_since: wal }, rows).getTime() - start) / hour

test.each([
  ['tier_free', 0],
  ['tier_pro', 7],
  ['tier_payg', 7],
  ['tier_team', 14],
  ['tier_enterprise', 14],
] as const)('%s keeps backups for %i days', (tier, days) => {
  expect(tierDays(tier)).toBe(days)
})

test('point in time recovery keeps them as long as it reaches back', () => {
  expect(keptDays({ tier: 'tier_pro', recovery: 'pitr_28' })).toBe(28)
  expect(keptDays({ tier: 'tier_team', recovery: 'pitr_7' })).toBe(14)
  expect(keptDays({ tier: 'tier_pro', recovery: null })).toBe(7)
})

test.each([
  ['an hour after the project was made', [], 1],
  ['a day after the last one', [row('scheduled', 'COMPLETED', 10)], 34],
  ['not before the one that is being made', [row('scheduled', 'PENDING', 40)], 64],
  ['whatever people made', [row('manual', 'COMPLETED', 20)], 1],
  [
    'an hour after one failed',
    [row('scheduled', 'FAILED', 40), row('scheduled', 'COMPLETED', 10)],
    41.5,
  ],
] as const)('the next is due %s', (_, rows, hours) => {
  expect(due([...rows])).toBe(hours)
})

test('once WAL is kept one is due at once, also beside an older one; then each day', () => {
  const old = row('scheduled', 'COMPLETED', 10)
  expect(due([old], at(12))).toBe(12)
  expect(due([row('scheduled', 'FAILED', 12), old], at(12))).toBe(13.5)
  expect(due([row('scheduled', 'COMPLETED', 12.5), old], at(12))).toBe(36.5)
  expect(due([row('manual', 'PENDING', 13), old], at(12))).toBe(34)
})

test('moments are covered within windows, and no longer than the days that are paid', () => {
  const windows = windowsKept(
    [
      { from: at(-48), to: at(-30) },
      { from: at(-20), to: at(-10) },
      { from: at(-9), to: undefined },
    ],
    1,
    at(0),
  )
  const seconds = (hours: number) => at(hours).getTime() / 1000
  expect(windows).toEqual([
    { from: seconds(-20), to: seconds(-10) },
    { from: seconds(-9), to: seconds(0) },
  ])
  for (const hours of [-20, -10, -9, 0]) expect(covers(windows, seconds(hours))).toBe(true)
  for (const hours of [-21, -9.5, 0.1]) expect(covers(windows, seconds(hours))).toBe(false)
  const [long] = windowsKept([{ from: at(-100), to: undefined }], 1, at(0))
  expect(long?.from).toBe(seconds(-24))
})
