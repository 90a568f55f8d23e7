import { expect, test } from 'vitest'
import type { Condition } from '#contract/operations/alerts'
import type { HealthFindings } from '#contract/operations/health'
import { wellFindings } from '../../testing/findings.ts'
import { absentConditions, foundNow } from './conditions.ts'

const gb = 1024 ** 3
const before = (minutes: number) =>
  new Date(Date.parse('2026-11-27T12:00:00Z') - minutes * 60_000).toISOString()
const found = (more: Partial<HealthFindings>, isOpen = false, muted: Condition[] = []) =>
  foundNow({ findings: { ...wellFindings(), ...more }, isOpen: () => isOpen }, muted)

const disk = (free: number, size: number) => ({
  disks: [
    { place: 'a:1', folder: '/p', free_bytes: free, size_bytes: size, parts: [], parts_at: null },
  ],
})
const unhealthy = (minutes: number) => ({
  projects: {
    by_status: [],
    heaviest: [],
    unhealthy: [
      {
        ref: 'r',
        name: 'Books',
        status: 'ACTIVE_UNHEALTHY' as const,
        since: before(minutes),
        failure: null,
      },
    ],
  },
})
const certificate = (days: number | null, order_failure: string | null = null) => {
  const ends_at = days === null ? null : before(-days * 24 * 60)
  const shown = { host: 'example.com', ends_at, why: null, order_failure }
  return { certificates: ['a:1', 'b:1'].map((place) => ({ ...shown, place })) }
}
const failing = (minutes: number) => ({
  failing: [
    {
      place: 'a:1',
      round: 'billing',
      subject: '1',
      failure: 'no',
      since: before(minutes),
      failures: 9,
    },
    {
      place: 'a:1',
      round: 'billing',
      subject: '2',
      failure: 'no',
      since: before(minutes),
      failures: 9,
    },
  ],
})
const round = (minutes: number | undefined) => ({
  rounds: [
    {
      place: 'a:1',
      name: 'backups',
      seconds: 60,
      began_at: before(0),
      duration_ms: 1,
      running: false,
      failures: minutes === undefined ? 0 : 3,
      failing_since: minutes === undefined ? null : before(minutes),
      failure: minutes === undefined ? null : 'no database',
    },
  ],
})

test('an installation that is well has nothing to tell', () => {
  expect(found({})).toEqual([])
})

test.each<[string, Partial<HealthFindings>, Condition | undefined]>([
  ['a disk with 9%', disk(90 * gb, 1000 * gb), 'disk_short'],
  ['a disk with 11%', disk(110 * gb, 1000 * gb), undefined],
  ['a small disk with 4 GB', disk(4 * gb, 8 * gb), 'disk_short'],
  ['a small disk with 6 GB', disk(6 * gb, 8 * gb), undefined],
  ['a project that was unhealthy for 4 minutes', unhealthy(4), undefined],
  ['a project that was unhealthy for 5 minutes', unhealthy(5), 'project_unhealthy'],
  ['a certificate of 15 days', certificate(15), undefined],
  ['a certificate of 13 days', certificate(13), 'certificate_ending'],
  ['a certificate that has ended', certificate(-1), 'certificate_ending'],
  ['a certificate that nobody can read', certificate(null), undefined],
  ['no certificate, for none could be got', certificate(null, 'no'), 'certificate_ending'],
  ['one of 20 days, whose next one could not be got yet', certificate(20, 'no'), undefined],
  ['one of 13 days, whose next one could not be got', certificate(13, 'no'), 'certificate_ending'],
  ['subjects that fail for 9 minutes', failing(9), undefined],
  ['subjects that fail for 10 minutes', failing(10), 'round_failing'],
  ['a round that fails for 10 minutes', round(10), 'round_failing'],
  ['a round that fails for 9 minutes', round(9), undefined],
  ['a round that does not fail', round(undefined), undefined],
])('%s', (_, more, condition) => {
  expect(found(more).map((one) => one.condition)).toEqual(condition ? [condition] : [])
})

test('a hundred subjects of one round are one alert, which names one of them', () => {
  expect(found(failing(20))[0]?.message).toBe('"billing" on a:1 fails for 1 and 1 more: no')
})

test('a disk that is short counts as mended only when there is clearly more', () => {
  expect(found(disk(105 * gb, 1000 * gb))).toEqual([])
  expect(found(disk(105 * gb, 1000 * gb), true)).toHaveLength(1)
  expect(found(disk(111 * gb, 1000 * gb), true)).toEqual([])
})

test('what is muted is not found', () => {
  expect(found(disk(1, 1000 * gb), false, ['disk_short'])).toEqual([])
})

test('a condition that cannot be looked at says why', () => {
  const absent = [{ part: 'Backups', why: 'somebody else' }]
  expect(absentConditions({ ...wellFindings(), absent })).toEqual([
    { condition: 'backup_failed', why: 'somebody else' },
    { condition: 'backup_late', why: 'somebody else' },
  ])
})

test('a certificate that could not be got says why', () => {
  expect(found(certificate(null, 'refused'))[0]?.message).toBe(
    'example.com has no certificate, for none could be got: refused',
  )
  expect(found(certificate(13, 'refused'))[0]?.message).toMatch(/could not be got: refused$/)
})
