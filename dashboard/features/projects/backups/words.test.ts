import { expect, test } from 'vitest'
import type { Backup } from '#contract/projects/backups'
import { computeSizeIds } from '#contract/projects/compute-sizes'
import {
  basisText,
  clockText,
  isLargeEnough,
  recoveryOffers,
  sinceText,
  takenAt,
  untilText,
} from './words.ts'

const now = new Date('2026-11-23T12:00:00Z')
const backup: Backup = {
  id: 1,
  project_id: 1,
  inserted_at: '2026-11-23T11:00:00.000Z',
  status: 'COMPLETED',
  isPhysicalBackup: true,
  reason: 'manual',
  taken_at: '2026-11-23T11:00:05.000Z',
  size_bytes: 10,
  tables: 12,
  rows: 3400,
  failure: null,
  expires_at: '2026-11-30T11:00:00.000Z',
}

test.each([
  ['2026-11-23T11:00:00Z', 'soon'],
  ['2026-11-23T12:00:59Z', 'soon'],
  ['2026-11-23T12:01:00Z', 'in 1 minute'],
  ['2026-11-23T12:59:59Z', 'in 59 minutes'],
  ['2026-11-23T13:00:00Z', 'in 1 hour'],
  ['2026-11-24T12:00:00Z', 'in 24 hours'],
  ['2026-11-30T11:00:00Z', 'in 7 days'],
])('%s is %s', (at, words) => {
  expect(untilText(at, now)).toBe(words)
})

test.each([
  ['2026-11-23T12:00:30Z', 'just now'],
  ['2026-11-23T11:59:30Z', 'just now'],
  ['2026-11-23T11:30:00Z', '30 min ago'],
  ['2026-11-23T02:30:00Z', '9 h ago'],
  ['2026-11-22T02:30:00Z', 'yesterday'],
  ['2026-11-18T02:30:00Z', '5 days ago'],
])('%s was %s', (at, words) => {
  expect(sinceText(at, now)).toBe(words)
})

test('a status tells what it stands on', () => {
  expect(basisText(backup)).toBe('Read back: 12 tables, 3,400 rows')
  expect(basisText({ ...backup, tables: 1, rows: 1 })).toBe('Read back: 1 table, 1 row')
  expect(basisText({ ...backup, status: 'PENDING' })).toBe('Copied, then read back')
  expect(basisText({ ...backup, status: 'FAILED', failure: 'The disk is full' })).toBe(
    'The disk is full',
  )
})

test('one that is not through yet is known by its beginning', () => {
  expect(takenAt(backup)).toBe('2026-11-23T11:00:05.000Z')
  expect(takenAt({ ...backup, taken_at: null })).toBe('2026-11-23T11:00:00.000Z')
  expect(clockText(takenAt(backup))).toMatch(/^2[34] Nov 2026, \d\d:\d\d:05$/)
})

test('it is to be had for 7, 14 and 28 days, at a hundred dollars for each 7', () => {
  expect(recoveryOffers).toEqual([
    { identifier: 'pitr_7', days: 7, price: '$100.00 a month' },
    { identifier: 'pitr_14', days: 14, price: '$200.00 a month' },
    { identifier: 'pitr_28', days: 28, price: '$400.00 a month' },
  ])
})

test('Small and all above it are large enough', () => {
  expect(computeSizeIds.filter((size) => !isLargeEnough(size))).toEqual(['nano', 'micro'])
})
