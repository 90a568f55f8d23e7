import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SightingKind } from '#contract/billing/usage-metrics'
import { startControlPlane, type TestControlPlane } from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { insertProject, ownRef } from '../../testing/victim.ts'
import { usageStore } from './store.ts'

let plane: TestControlPlane
const now = new Date('2026-03-10T12:34:56Z')
let organization: { id: string; slug: string }

beforeAll(async () => {
  plane = await startControlPlane(undefined, undefined, { now: () => now })
  const ada = await newcomer(plane, 'ada')
  organization = await organizationOf(ada, 'Acme')
  await insertProject(plane, organization.id, ownRef)
})
afterAll(() => plane.end())
beforeEach(async () => {
  await sql`truncate platform.usage_sightings`.execute(plane.db)
})

const sighting = (time: string, hash: string, kind: SightingKind = 'users') => ({
  ref: ownRef,
  kind,
  hash: hash.repeat(22),
  minute: Date.parse(`2026-${time}Z`) / 60_000,
})
const send = (sightings: ReturnType<typeof sighting>[]) =>
  usageStore(plane.db).add({ buckets: [], sightings }, now)

const cycle = (from: string, until: string, tier: 'tier_team' | null) => ({
  organization_id: organization.id,
  started_at: new Date(`2026-${from}Z`),
  ended_at: new Date(`2026-${until}Z`),
  tier,
})

test('who is seen at the end of a cycle is of the next one, before there is one', async () => {
  await plane.db.deleteFrom('platform.billing_cycles').execute()
  await plane.db
    .insertInto('platform.billing_cycles')
    .values(cycle('02-10T10:30', '03-10T10:30', null))
    .execute()
  // A is known of the old cycle already, B is new; the hour in which a cycle ends is the next one's.
  const seen = [
    sighting('03-10T09:59', 'A'),
    sighting('03-10T10:00', 'A'),
    sighting('03-10T10:29', 'B'),
  ]
  await send(seen)
  await plane.db
    .updateTable('platform.subscriptions')
    .set({ period_start: new Date('2026-03-10T10:30:00Z') })
    .where('organization_id', '=', organization.id)
    .execute()
  const rows = await sql<{ cycle: Date; n: number }>`
    select cycle_start as cycle, count(*)::int as n from platform.usage_sightings group by 1 order by 1`.execute(
    plane.db,
  )
  expect(rows.rows).toEqual([
    { cycle: new Date('2026-02-10T10:30:00Z'), n: 1 },
    { cycle: new Date('2026-03-10T10:30:00Z'), n: 2 },
  ])
})

test('whoever is seen counts once in a cycle, and again in the next one', async () => {
  await plane.db.deleteFrom('platform.billing_cycles').execute()
  await plane.db
    .insertInto('platform.billing_cycles')
    .values([
      cycle('02-08T10:30', '03-08T10:30', 'tier_team'),
      cycle('03-08T10:30', '04-08T10:30', null),
    ])
    .execute()
  const seen = [
    sighting('03-08T09:59', 'A'),
    sighting('03-08T10:29', 'A'),
    sighting('03-08T10:31', 'A'),
    sighting('03-09T10:31', 'A'),
    sighting('03-09T10:31', 'B'),
    sighting('03-09T10:31', 'B', 'sso_users'),
  ]
  await send(seen)
  await send(seen.toReversed())
  const rows = await sql<{ kind: string; cycle: Date; n: number; first: Date }>`
    select kind, cycle_start as cycle, count(*)::int as n, min(seen_at) as first
    from platform.usage_sightings group by 1, 2 order by 1, 2`.execute(plane.db)
  const time = (date: Date) => date.toISOString().slice(5, 16)
  expect(
    rows.rows.map(({ kind, cycle: of, n, first }) => [kind, time(of), n, time(first)]),
  ).toEqual([
    ['sso_users', '03-08T10:30', 1, '03-09T10:31'],
    ['users', '02-08T10:30', 1, '03-08T09:59'],
    // The hour in which a cycle begins belongs to it, for what is seen as for what adds up.
    ['users', '03-08T10:30', 2, '03-08T10:29'],
  ])
})

test('the cycles of an organization follow its periods, with the tier that each ended with', async () => {
  const { id } = organization
  await plane.db.deleteFrom('platform.billing_cycles').where('organization_id', '=', id).execute()
  const period = (from: string, until: string) => ({
    period_start: new Date(`2026-${from}Z`),
    period_end: new Date(`2026-${until}Z`),
  })
  const set = (values: ReturnType<typeof period>) =>
    plane.db
      .updateTable('platform.subscriptions')
      .set(values)
      .where('organization_id', '=', id)
      .execute()
  await set(period('01-10T10:00', '02-10T10:00'))
  await set(period('02-10T10:00', '03-10T10:00'))
  await plane.db
    .updateTable('platform.organizations')
    .set({ tier: 'tier_pro' })
    .where('id', '=', id)
    .execute()
  // An upgrade begins a new one in the middle.
  await set(period('02-20T08:00', '03-20T08:00'))
  const rows = await plane.db
    .selectFrom('platform.billing_cycles')
    .select(['started_at', 'ended_at', 'tier'])
    .where('organization_id', '=', id)
    .orderBy('started_at')
    .execute()
  const time = (date: Date) => date.toISOString().slice(5, 13)
  expect(rows.map((row) => [time(row.started_at), time(row.ended_at), row.tier])).toEqual([
    ['01-10T10', '02-10T10', 'tier_team'],
    ['02-10T10', '02-20T08', 'tier_pro'],
    ['02-20T08', '03-20T08', null],
  ])
})
