import { expect, test } from 'vitest'
import type { Backup } from '#contract/projects/backups'
import { sourceOf, startSource, costOf, totalText } from './clone.ts'

test('compute by the hour, and a disk that the plan includes', () => {
  const lines = costOf('pro', 'small', 8)
  expect(lines).toEqual([
    { name: 'Compute', what: 'Small, 1 GB, 2-core CPU', price: '$0.0206 an hour', month: 1500 },
    { name: 'Disk', what: '8 GB', price: 'Included', month: 0 },
  ])
  expect(totalText(lines)).toBe('$15.00')
})

test('what a disk has above the plan is paid by the GB', () => {
  const lines = costOf('team', 'micro', 28)
  expect(lines[1]).toEqual({
    name: 'Disk',
    what: '28 GB',
    price: '$0.125 a GB above 8 GB',
    month: 250,
  })
  expect(totalText(lines)).toBe('$12.50')
})

test('a project that was made on Free is paid as Micro in a paid organization', () => {
  expect(costOf('pro', 'nano', 8)[0]).toMatchObject({ price: '$0.01344 an hour', month: 1000 })
  expect(totalText(costOf('free', 'nano', 8))).toBe('$0.00')
})

test('a disk without a bound costs nothing beside', () => {
  expect(costOf('enterprise', 'large', 500)[1]).toMatchObject({ price: 'Included', month: 0 })
})

const backup = (id: number): Backup => ({
  id,
  project_id: 1,
  inserted_at: '2026-11-23T11:00:00.000Z',
  status: 'COMPLETED',
  isPhysicalBackup: true,
  reason: 'scheduled',
  taken_at: '2026-11-23T11:00:00.000Z',
  size_bytes: 1,
  tables: 1,
  rows: 1,
  failure: null,
  expires_at: '2026-11-30T11:00:00.000Z',
})
const from = Date.parse('2026-11-20T00:00:00Z') / 1000
const spans = [{ from, to: from + 3600 }]

test('it begins with the newest backup, or with the one that was asked for', () => {
  expect(startSource([backup(7), backup(5)], spans, undefined)).toMatchObject({
    from: 'backup',
    backup: 7,
  })
  expect(startSource([backup(7), backup(5)], spans, 5).backup).toBe(5)
})

test('without a backup it begins with the latest moment', () => {
  const start = startSource([], spans, undefined)
  expect(start.from).toBe('moment')
  expect(sourceOf(start, spans)).toEqual({
    point: { recoveryTimeTarget: from + 3600 },
    problem: undefined,
  })
})

test('a backup or a moment is named, never both, and none that is not there', () => {
  const start = startSource([backup(7)], spans, undefined)
  expect(sourceOf(start, spans)).toEqual({ point: { cloneBackupId: 7 }, problem: undefined })
  expect(sourceOf({ ...start, backup: undefined }, spans)).toEqual({
    point: undefined,
    problem: 'Choose a backup',
  })
  const early = { ...start.moment, day: '2026-11-18' }
  const late = sourceOf({ ...start, from: 'moment', moment: early }, spans)
  expect(late.point).toBeUndefined()
  expect(late.problem).toMatch(/^Too early/)
})
