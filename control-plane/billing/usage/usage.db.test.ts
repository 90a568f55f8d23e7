import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { gigabyte, type OrganizationUsage, type UsageMetric } from '#contract/billing/usage'
import type { MeteredMetric, SizeMetric } from '#contract/billing/usage-metrics'
import type { Tier } from '#contract/billing/plans'
import {
  internalToken,
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { insertProject, ownRef } from '../../testing/victim.ts'
import { createRollUp } from './roll-up-store.ts'

let plane: TestControlPlane
let now = new Date('2026-03-20T12:34:56Z')
let ada: Person
let stranger: Person
let organization: { id: string; slug: string }
const otherRef = 'n'.repeat(20)
const path = '/platform/organizations/acme/usage'

beforeAll(async () => {
  plane = await startControlPlane(undefined, undefined, { now: () => now })
  ada = await newcomer(plane, 'ada')
  stranger = await newcomer(plane, 'eve')
  organization = await organizationOf(ada, 'Acme')
  await insertProject(plane, organization.id, ownRef)
  await insertProject(plane, organization.id, otherRef)
})
afterAll(() => plane.end())
beforeEach(async () => {
  now = new Date('2026-03-20T12:34:56Z')
  for (const table of ['minutes', 'hours', 'days', 'sightings'])
    await sql`truncate ${sql.table(`platform.usage_${table}`)}`.execute(plane.db)
  await plane.db.deleteFrom('platform.billing_cycles').execute()
  await plane.db.deleteFrom('platform.compute_usage').execute()
  await setTier('tier_payg')
  const period = {
    anchor: at('02-10T10:30'),
    period_start: at('02-10T10:30'),
    period_end: at('03-10T10:30'),
  }
  await plane.db.updateTable('platform.subscriptions').set(period).execute()
  await plane.db
    .updateTable('platform.subscriptions')
    .set({ period_start: at('03-10T10:30'), period_end: at('04-10T10:30') })
    .execute()
  // Each update has begun a cycle; those before these two are of the making of the organization.
  await plane.db
    .deleteFrom('platform.billing_cycles')
    .where('started_at', '<', at('02-10T10:30'))
    .execute()
})

const at = (time: string) => new Date(`2026-${time}Z`)
const setTier = (tier: Tier) =>
  plane.db
    .updateTable('platform.organizations')
    .set({ tier })
    .where('id', '=', organization.id)
    .execute()

/** As if it had been counted then, without the bound of a week. */
async function used(metric: MeteredMetric | SizeMetric, time: string, value: number, ref = ownRef) {
  await plane.db
    .insertInto('platform.usage_minutes')
    .values({
      project_ref: ref,
      metric,
      minute: at(time),
      start_id: randomUUID(),
      organization_id: organization.id,
      value: String(value),
    })
    .execute()
  await createRollUp(plane.db, () => now).run()
}
async function get(query = '', who = ada) {
  const { status, body } = await who.call('GET', `${path}${query}`)
  // The contract's own parser has made it.
  return { status, body, usage: body as unknown as OrganizationUsage }
}
const item = ({ usage }: { usage: OrganizationUsage }, metric: UsageMetric) =>
  usage.items.find((one) => one.metric === metric)
async function daily(query = '') {
  const { body } = await ada.call('GET', `${path}/daily${query}`)
  return (
    body['days'] as {
      day: string
      metric: string
      part: string
      ref: string | null
      usage: number
    }[]
  ).map(({ day, metric, part, ref, usage }) => [day, metric, part, ref, usage])
}

describe('refused', () => {
  test('who is not signed in, and whose organization it is not', async () => {
    for (const url of [path, `${path}/daily`]) {
      expect((await plane.app.inject({ method: 'GET', url })).statusCode).toBe(401)
      expect((await stranger.call('GET', url)).status).toBe(404)
    }
  })

  test.each([
    ['?start=yesterday'],
    ['?start=2026-02-11T10:30:00.000Z'],
    ['?end=2026-03-10T10:30:00.000Z'],
    ['?start=2026-03-10T10:30:00Z&end=2026-03-10T10:30:00Z'],
    ['?start=2026-03-11T00:00:00Z&end=2026-03-10T00:00:00Z'],
    ['?start=2020-01-01T00:00:00Z&end=2026-03-10T00:00:00Z'],
    ['?project_ref=x'],
  ])('%s', async (query) => {
    expect((await get(query)).status).toBe(400)
    expect((await ada.call('GET', `${path}/daily${query}`)).status).toBe(400)
  })

  test('a project of somebody else', async () => {
    const other = await organizationOf(stranger, 'Elsewhere')
    const ref = 'q'.repeat(20)
    await insertProject(plane, other.id, ref)
    expect((await get(`?project_ref=${ref}`)).status).toBe(404)
    expect(await daily(`?project_ref=${ref}`)).toEqual([])
  })
})

test('everybody in the organization may see it', async () => {
  const member = await newcomer(plane)
  await plane.db
    .insertInto('platform.members')
    .values({ organization_id: organization.id, user_id: member.userId, role: 'Read-only' })
    .execute()
  expect((await get('', member)).status).toBe(200)
})

test('a cycle has its hours, from the one in which it begins; what is before and after is in others', async () => {
  await used('egress_rest', '03-10T09:59', 1)
  await used('egress_rest', '03-10T10:00', 2)
  await used('egress_storage', '03-10T23:00', 4)
  await used('egress_rest', '03-12T00:00', 8, otherRef)
  await used('egress_database', '03-10T23:00', 16)
  await used('egress_cached', '03-12T00:00', 100)
  const current = await get()
  expect(current.usage).toMatchObject({
    start: '2026-03-10T10:30:00.000Z',
    end: '2026-04-10T10:30:00.000Z',
    tier: 'tier_payg',
    usage_billing_enabled: true,
    cycles: [
      { start: '2026-03-10T10:30:00.000Z', is_current: true },
      { start: '2026-02-10T10:30:00.000Z', end: '2026-03-10T10:30:00.000Z', is_current: false },
    ],
    projects: [{ ref: ownRef }, { ref: otherRef }],
  })
  expect(item(current, 'EGRESS')).toMatchObject({
    usage: 30,
    included: 250 * gigabyte,
    overage: 0,
    cost: 0,
    breakdown: expect.arrayContaining([
      { name: 'rest', usage: 10 },
      { name: 'storage', usage: 4 },
      { name: 'database', usage: 16 },
    ]),
    project_allocations: [
      { ref: ownRef, usage: 22 },
      { ref: otherRef, usage: 8 },
    ],
  })
  expect(item(current, 'CACHED_EGRESS')).toMatchObject({ usage: 100 })
  const before = await get('?start=2026-02-10T10:30:00.000Z')
  expect(item(before, 'EGRESS')).toMatchObject({ usage: 1 })
  expect(await daily()).toEqual([
    ['2026-03-10', 'EGRESS', 'database', null, 16],
    ['2026-03-10', 'EGRESS', 'rest', null, 2],
    ['2026-03-10', 'EGRESS', 'storage', null, 4],
    ['2026-03-12', 'CACHED_EGRESS', '', null, 100],
    ['2026-03-12', 'EGRESS', 'rest', null, 8],
  ])
  expect(await daily(`?project_ref=${otherRef}`)).toEqual([
    ['2026-03-12', 'EGRESS', 'rest', otherRef, 8],
  ])
  expect(await daily('?by_project=true')).toContainEqual([
    '2026-03-12',
    'EGRESS',
    'rest',
    otherRef,
    8,
  ])
})

test('a project by itself, and a time that is no cycle, have use but no cost: the plan is for all of it', async () => {
  await used('egress_rest', '03-12T01:00', 300 * gigabyte)
  await used('egress_rest', '03-12T03:00', 7, otherRef)
  expect(item(await get(), 'EGRESS')).toMatchObject({ overage: 50 * gigabyte + 7, cost: 450 })
  const own = await get(`?project_ref=${ownRef}`)
  expect(item(own, 'EGRESS')).toMatchObject({ usage: 300 * gigabyte, overage: null, cost: null })
  const hours = await get('?start=2026-03-12T02:00:00Z&end=2026-03-12T04:00:00Z')
  expect(item(hours, 'EGRESS')).toMatchObject({ usage: 7, cost: null })
})

test('the spend cap and Free cost nothing; a past cycle goes by the plan that it ended with', async () => {
  await used('egress_rest', '02-12T00:00', 300 * gigabyte)
  await used('egress_rest', '03-12T00:00', 300 * gigabyte)
  await setTier('tier_pro')
  expect(item(await get(), 'EGRESS')).toMatchObject({
    overage: 50 * gigabyte,
    cost: 0,
    capped: true,
  })
  expect(item(await get('?start=2026-02-10T10:30:00.000Z'), 'EGRESS')).toMatchObject({
    cost: 450,
    capped: false,
  })
  await setTier('tier_free')
  expect(item(await get(), 'EGRESS')).toMatchObject({
    included: 5 * gigabyte,
    overage: 295 * gigabyte,
    cost: 0,
    capped: true,
  })
})

test('a downgrade that waits for the end changes nothing before', async () => {
  await used('egress_rest', '03-12T00:00', 300 * gigabyte)
  await plane.db
    .updateTable('platform.subscriptions')
    .set({ scheduled_tier: 'tier_free' })
    .execute()
  expect(item(await get(), 'EGRESS')).toMatchObject({ included: 250 * gigabyte, cost: 450 })
  await plane.db.updateTable('platform.subscriptions').set({ scheduled_tier: null }).execute()
})

test('sizes are averages over the hours of the cycle so far, and by day over those that were measured', async () => {
  // 10:00 of the 10th to 12:59 of the 20th are 243 hours.
  for (const hour of ['03-11T00:00', '03-11T01:00', '03-20T12:00'])
    await used('database_size', hour, 243 * 5 * gigabyte)
  expect(item(await get(), 'DATABASE_SIZE')).toMatchObject({
    usage: 15 * gigabyte,
    included_per_project: true,
    overage: 7 * gigabyte,
    cost: 88,
  })
  expect(await daily()).toEqual([
    ['2026-03-11', 'DATABASE_SIZE', '', null, 243 * 5 * gigabyte],
    ['2026-03-20', 'DATABASE_SIZE', '', null, 243 * 5 * gigabyte],
  ])
})

test('connections are the highest of each project, users and images those that were seen', async () => {
  await used('realtime_connections', '03-11T00:00', 30)
  await used('realtime_connections', '03-12T00:00', 50)
  await used('realtime_connections', '03-13T00:00', 7, otherRef)
  expect(item(await get(), 'REALTIME_PEAK_CONNECTIONS')).toMatchObject({ usage: 57 })
  const minute = now.getTime() / 60_000
  const sighting = (hash: string, kind: string) => ({
    ref: ownRef,
    kind,
    hash: hash.repeat(22),
    minute: Math.floor(minute),
  })
  await plane.app.inject({
    method: 'POST',
    url: '/internal/usage',
    headers: { authorization: `Bearer ${internalToken}` },
    payload: {
      buckets: [],
      sightings: [sighting('A', 'users'), sighting('B', 'users'), sighting('C', 'images')],
    },
  })
  const found = await get()
  expect(item(found, 'MONTHLY_ACTIVE_USERS')).toMatchObject({ usage: 2 })
  expect(item(found, 'STORAGE_IMAGES_TRANSFORMED')).toMatchObject({ usage: 1 })
  expect(item(found, 'MONTHLY_ACTIVE_SSO_USERS')).toMatchObject({ usage: 0 })
  expect(await daily()).toContainEqual(['2026-03-20', 'MONTHLY_ACTIVE_USERS', '', null, 2])
})

test('compute is what the ledger says, by size and day', async () => {
  const ran = (
    compute_size: 'micro' | 'small',
    from: string,
    until: string | null,
    branch_of: string | null = null,
  ) => ({
    branch_of,
    organization_id: organization.id,
    project_ref: ownRef,
    project_name: 'Own',
    compute_size,
    started_at: at(from),
    ended_at: until === null ? null : at(until),
  })
  await plane.db
    .insertInto('platform.compute_usage')
    .values([
      ran('micro', '03-10T08:30', '03-11T00:30'),
      ran('micro', '03-10T12:00', '03-10T14:00', 'of another project'),
      ran('small', '03-20T10:34:56', null),
    ])
    .execute()
  expect(item(await get(), 'COMPUTE_HOURS')).toMatchObject({
    usage: 16,
    cost: null,
    breakdown: [
      { name: 'micro', usage: 14 },
      { name: 'small', usage: 2 },
    ],
  })
  expect(item(await get(), 'COMPUTE_HOURS_BRANCH')).toMatchObject({
    usage: 2,
    cost: null,
    breakdown: [{ name: 'micro', usage: 2 }],
  })
  expect(await daily()).toEqual([
    ['2026-03-10', 'COMPUTE_HOURS', 'micro', null, 13.5],
    ['2026-03-10', 'COMPUTE_HOURS_BRANCH', 'micro', null, 2],
    ['2026-03-11', 'COMPUTE_HOURS', 'micro', null, 0.5],
    ['2026-03-20', 'COMPUTE_HOURS', 'small', null, 2],
  ])
})

test('an organization without a subscription is given one, and has used nothing', async () => {
  const fresh = await organizationOf(ada, 'Fresh')
  await plane.db
    .deleteFrom('platform.subscriptions')
    .where('organization_id', '=', fresh.id)
    .execute()
  await plane.db
    .deleteFrom('platform.billing_cycles')
    .where('organization_id', '=', fresh.id)
    .execute()
  const { status, body } = await ada.call('GET', `/platform/organizations/${fresh.slug}/usage`)
  expect(status).toBe(200)
  expect(body['cycles']).toHaveLength(1)
  expect((body['items'] as { usage: number }[]).every(({ usage }) => usage === 0)).toBe(true)
})
