import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Tier } from '#contract/billing/plans'
import { cappedMetrics } from '#contract/billing/quotas'
import { gigabyte, type UsageMetric } from '#contract/billing/usage'
import type { MeteredMetric, SightingKind } from '#contract/billing/usage-metrics'
import { newProjectRef } from '#kit/ids'
import {
  internalToken,
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'
import { insertProject } from '../../testing/victim.ts'
import { createRollUp } from '../usage/roll-up-store.ts'
import { mailStore } from '../../operations/mailbox/store.ts'
import { sizeStore } from '../usage/sizes-store.ts'

let plane: TestControlPlane
let ada: Person
let now = new Date('2026-03-01T09:30:00Z')
let organization: { id: string; slug: string }
let ref: string

beforeAll(async () => {
  plane = await startControlPlane(undefined, undefined, { now: () => now })
})
afterAll(() => plane.end())
beforeEach(async () => {
  now = new Date('2026-03-01T09:30:00Z')
  await begin('tier_free')
})

async function begin(tier: Tier) {
  ada = await newcomer(plane)
  organization = await organizationOf(ada, `Acme ${randomUUID()}`, tier)
  ref = newProjectRef()
  await insertProject(plane, organization.id, ref)
}
const pass = (days: number) => {
  now = new Date(now.getTime() + days * 86_400_000)
}

/** As the meter of a data plane sends it. */
async function report(body: object) {
  const response = await plane.app.inject({
    method: 'POST',
    url: '/internal/usage',
    headers: { authorization: `Bearer ${internalToken}` },
    payload: { buckets: [], sightings: [], ...body },
  })
  expect([response.statusCode, response.json()]).toMatchObject([200, { refused: 0 }])
  await createRollUp(plane.db, () => now).run()
}
const minute = () => Math.floor(now.getTime() / 60_000)
const used = (metric: MeteredMetric, value: number) =>
  report({ buckets: [{ start: randomUUID(), ref, metric, minute: minute(), value }] })
async function seen(kind: SightingKind, count: number) {
  for (let done = 0; done < count; done += 1000) {
    const hashes = Array.from({ length: Math.min(1000, count - done) }, () =>
      randomBytes(16).toString('base64url'),
    )
    await report({ sightings: hashes.map((hash) => ({ ref, kind, hash, minute: minute() })) })
  }
}
async function stored(bytes: number) {
  const hour = new Date(Math.floor(now.getTime() / 3_600_000) * 3_600_000)
  await sizeStore(plane.db).noteStorage(ref, hour, bytes)
}

const detail = async () =>
  (await ada.call('GET', `/platform/organizations/${organization.slug}`)).body
async function standing() {
  const { restriction_status, restriction_cause, exceeds_usage_limits } = await detail()
  return [restriction_status, restriction_cause, exceeds_usage_limits]
}
const good = [null, null, false]
async function look() {
  await plane.quotasRound()
  return standing()
}
async function mails(): Promise<string[]> {
  const name = String((await detail())['name'])
  const all = await mailStore(plane.db).list(100, ada.email)
  return all
    .filter(({ subject }) => subject.includes(name))
    .map(({ subject }) => subject.replace(name, 'Acme'))
    .toReversed()
}
async function inbox(): Promise<string[]> {
  const query = `?organization=${organization.slug}`
  const { body } = await ada.call('GET', `/platform/notifications${query}`)
  const name = String((await detail())['name'])
  // The shape is the contract's.
  const list = body['notifications'] as { data: { title: string } }[]
  return list.map(({ data }) => data.title.replace(name, 'Acme')).toReversed()
}
const change = (tier: Tier) =>
  ada.call('PUT', `/platform/organizations/${organization.slug}/billing/subscription`, { tier })
async function operator(path: string, body: object = {}, method: 'PUT' | 'POST' = 'PUT') {
  const headers = { authorization: `Bearer ${internalToken}` }
  const url = `/internal/billing/${path}`
  const { statusCode } = await plane.app.inject({ method, url, headers, payload: body })
  expect(statusCode).toBe(200)
}

describe('nothing follows', () => {
  test('from what the plan includes, to the last unit', async () => {
    await used('egress_rest', 5 * gigabyte)
    await used('function_invocations', 500_000)
    await used('realtime_connections', 200)
    expect(await look()).toEqual(good)
  })

  test('from what has no bound, or a bound of its own: requests, the size of a database', async () => {
    await used('requests_rest', 1e9)
    const row = { organization_id: organization.id, project_ref: ref, value: String(gigabyte) }
    const hour = new Date('2026-03-01T09:00:00Z')
    const size = { ...row, metric: 'database_size' as const, hour }
    await plane.db.insertInto('platform.usage_hours').values(size).execute()
    expect(await look()).toEqual(good)
  })

  test('from what the plan does not offer at all', async () => {
    await seen('sso_users', 1)
    await seen('images', 1)
    expect(await look()).toEqual(good)
  })

  test.each(['tier_payg', 'tier_team', 'tier_enterprise'] as const)(
    'where more is billed, or has no bound: %s',
    async (tier) => {
      await begin(tier === 'tier_enterprise' ? 'tier_team' : tier)
      if (tier === 'tier_enterprise') await operator(`organizations/${organization.slug}`, { tier })
      await used('egress_rest', 900 * gigabyte)
      expect(await look()).toEqual(good)
    },
  )

  test('for another organization', async () => {
    const [own, owner] = [organization, ada]
    await begin('tier_free')
    await used('egress_rest', 6 * gigabyte)
    await look()
    ;[organization, ada] = [own, owner]
    expect(await standing()).toEqual(good)
  })
})

const gb = gigabyte
/** One step beyond what Free includes, as the services count it. */
const beyondFree: Partial<Record<UsageMetric, () => Promise<void>>> = {
  EGRESS: async () => {
    await used('egress_rest', 3 * gb)
    await used('egress_storage', 2 * gb + 1)
  },
  CACHED_EGRESS: () => used('egress_cached', 5 * gb + 1),
  STORAGE_SIZE: () => stored(gb + 1),
  FUNCTION_INVOCATIONS: () => used('function_invocations', 500_001),
  REALTIME_MESSAGE_COUNT: () => used('realtime_messages', 2_000_001),
  REALTIME_PEAK_CONNECTIONS: () => used('realtime_connections', 201),
  MONTHLY_ACTIVE_USERS: () => manyUsers('users', 50_001),
  MONTHLY_ACTIVE_THIRD_PARTY_USERS: () => manyUsers('third_party_users', 50_001),
}
const beyondPro: Partial<Record<UsageMetric, () => Promise<void>>> = {
  MONTHLY_ACTIVE_SSO_USERS: () => seen('sso_users', 51),
  STORAGE_IMAGES_TRANSFORMED: () => seen('images', 101),
}
/** The same rows as `seen` makes, at once. */
async function manyUsers(kind: SightingKind, count: number) {
  const { period_start } = await plane.db
    .selectFrom('platform.subscriptions')
    .select('period_start')
    .where('organization_id', '=', organization.id)
    .executeTakeFirstOrThrow()
  await plane.pool.query(
    `insert into platform.usage_sightings (organization_id, project_ref, kind, cycle_start, hash, seen_at)
     select $1, $2, $3, $4, decode(md5(i::text), 'hex'), $5 from generate_series(1, $6) i`,
    [organization.id, ref, kind, period_start, now, count],
  )
}

test('every metric that the spend cap covers is gone beyond here', () => {
  const tested = [...Object.keys(beyondFree), ...Object.keys(beyondPro)]
  expect(tested.toSorted()).toEqual([...cappedMetrics].toSorted())
})

test.each(Object.entries(beyondFree))('Free stops beyond %s', async (_, exceed) => {
  await exceed()
  expect(await look()).toEqual(['grace_period', 'quota', true])
})

test.each(Object.entries(beyondPro))(
  'Pro with the spend cap stops beyond %s',
  async (_, exceed) => {
    await begin('tier_pro')
    await exceed()
    expect(await look()).toEqual(['grace_period', 'quota', true])
  },
)

test('from 80% on people are told, once in a cycle and for each metric', async () => {
  await used('egress_rest', 4 * gb - 1)
  await look()
  expect([await mails(), await inbox()]).toEqual([[], []])
  await used('egress_rest', 1)
  await look()
  await look()
  const once = 'Acme has used 80% of what its plan includes'
  await expect.poll(mails).toEqual([once])
  expect(await inbox()).toEqual([once])
  await used('function_invocations', 450_000)
  await look()
  await expect.poll(mails).toEqual([once, once])
  expect(await standing()).toEqual(good)
})

test('where more is billed people are told when they are beyond, and nothing stops', async () => {
  await begin('tier_payg')
  await used('egress_rest', 251 * gb)
  expect(await look()).toEqual(good)
  await look()
  await expect.poll(mails).toEqual(['Acme has used all that its plan includes'])
})

test('grace period, its end, restriction: each with its date by mail and in the inbox; a new cycle ends all of it', async () => {
  await used('egress_rest', 6 * gb)
  await look()
  expect((await detail())['restriction_data']).toEqual({
    grace_period_end: '2026-03-08T09:30:00.000Z',
  })
  pass(7)
  expect(await look()).toEqual(['grace_period_over', 'quota', true])
  pass(3)
  expect(await look()).toEqual(['restricted', 'quota', true])
  const told = [
    'Acme: grace period until 08 Mar, 2026',
    'Acme: the grace period is over',
    'The projects of Acme are restricted',
  ]
  await expect.poll(mails).toEqual(told)
  const name = String((await detail())['name'])
  const all = await mailStore(plane.db).list(100, ada.email)
  const grace = all.find(({ subject }) => subject === `${name}: grace period until 08 Mar, 2026`)
  expect(grace?.text).toContain('its projects are restricted on 11 Mar, 2026 (UTC)')
  expect(await inbox()).toEqual([
    'A grace period has begun for Acme',
    'The grace period of Acme is over',
    'The projects of Acme are restricted',
  ])
  const refused = await ada.call('POST', `/platform/projects/${ref}/restore`)
  expect(refused).toMatchObject({ status: 402, body: { code: 'quota_exceeded' } })
  now = new Date('2026-04-01T09:31:00Z')
  await plane.billingRound()
  await expect.poll(standing).toEqual(good)
  // In the next cycle there is no second grace period.
  await used('egress_rest', 6 * gb)
  expect(await look()).toEqual(['grace_period_over', 'quota', true])
})

test('a larger plan ends it at once, and so does the spend cap that is turned off', async () => {
  await used('egress_rest', 6 * gb)
  await look()
  expect((await change('tier_pro')).status).toBe(200)
  expect(await standing()).toEqual(good)
  await used('egress_rest', 300 * gb)
  expect(await look()).toEqual(['grace_period_over', 'quota', true])
  expect((await change('tier_payg')).status).toBe(200)
  expect(await standing()).toEqual(good)
})

test('who has deleted enough is free with the next look, though the average of the cycle falls slowly', async () => {
  await stored(500 * gb)
  expect(await look()).toEqual(['grace_period', 'quota', true])
  pass(10)
  await stored(500 * gb)
  await look()
  expect(await look()).toEqual(['restricted', 'quota', true])
  pass(1 / 24)
  await stored(gb)
  expect(await look()).toEqual(good)
})

test('invoices and quota together: the harsher counts, and each ends by itself', async () => {
  await begin('tier_pro')
  await used('egress_rest', 300 * gb)
  await look()
  pass(8)
  await plane.billingRound()
  // The invoice is overdue now, and has its whole grace period.
  expect(await look()).toEqual(['grace_period_over', 'quota', true])
  pass(3)
  expect(await look()).toEqual(['restricted', 'quota', true])
  expect((await change('tier_payg')).status).toBe(200)
  expect(await standing()).toEqual(['grace_period', 'overdue', false])
  const { body } = await ada.call(
    'GET',
    `/platform/organizations/${organization.slug}/billing/invoices`,
  )
  for (const { id } of body['invoices'] as { id: string }[])
    await operator(`invoices/${id}/paid`, {}, 'POST')
  expect(await standing()).toEqual(good)
})

test('what the operator has set stays, beyond the quota or not', async () => {
  await used('egress_rest', 6 * gb)
  await look()
  await operator(`organizations/${organization.slug}`, { restriction_status: 'restricted' })
  expect(await look()).toEqual(['restricted', 'operator', false])
  await change('tier_pro')
  expect(await look()).toEqual(['restricted', 'operator', false])
  await operator(`organizations/${organization.slug}`, { restriction_status: null })
  expect(await standing()).toEqual(good)
})

test('of two rounds at once one tells', async () => {
  await used('egress_rest', 6 * gb)
  await Promise.all([plane.quotasRound(), plane.quotasRound(), plane.quotasRound()])
  await expect.poll(mails).toEqual(['Acme: grace period until 08 Mar, 2026'])
  expect(await inbox()).toHaveLength(1)
})
