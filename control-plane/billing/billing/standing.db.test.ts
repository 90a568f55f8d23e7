import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tier } from '#contract/billing/plans'
import type { ProjectStatus } from '#contract/projects/project-status'
import { newProjectRef } from '#kit/ids'
import { silentLog } from '#kit/log'
import { internalToken, startControlPlane } from '../../testing/control-plane.ts'
import type { Person, TestControlPlane } from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

let plane: TestControlPlane
let ada: Person
let dan: Person
let now = new Date('2026-03-31T09:00:00.000Z')
const pass = (days: number) => {
  now = new Date(now.getTime() + days * 86_400_000)
}
const password = 'a long and winding password 42!'
const at = (slug: string, path: string) => `/platform/organizations/${slug}/${path}`

const organization = (name: string, tier: Tier) => organizationOf(ada, name, tier)
async function operator(method: 'POST' | 'PUT', path: string, body?: object) {
  const response = await plane.app.inject({
    method,
    url: `/internal/billing/${path}`,
    headers: { authorization: `Bearer ${internalToken}` },
    ...(body ? { payload: body } : {}),
  })
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() }
}
async function firstInvoice(slug: string): Promise<string> {
  const { body } = await ada.call('GET', at(slug, 'billing/invoices'))
  // The shape is the contract's.
  const [invoice] = body['invoices'] as { id: string }[]
  return String(invoice?.id)
}
const create = (slug: string, name: string, more: object = {}) =>
  ada.call('POST', '/platform/projects', {
    name,
    organization_slug: slug,
    db_pass: password,
    db_region: 'eu-central-1',
    ...more,
  })

/** A project of which only the row exists. */
async function row(organizationId: string, name: string, status: ProjectStatus): Promise<string> {
  const ref = newProjectRef()
  await plane.db
    .insertInto('platform.projects')
    .values({
      ref,
      organization_id: organizationId,
      name,
      status,
      job_id: null,
      failure: null,
      region: 'eu-central-1',
      cloud_provider: 'AWS',
      compute_size: 'nano',
      db_version: '17.10',
      db_address: null,
      sealed_secrets: '',
    })
    .execute()
  return ref
}
const clear = () => plane.db.deleteFrom('platform.projects').execute()

beforeAll(async () => {
  plane = await startControlPlane(silentLog, undefined, { now: () => now })
  ada = await newcomer(plane, 'ada')
  dan = await newcomer(plane, 'dan')
})
afterAll(() => plane.end())

test('Free has one compute size, paid plans have the others', async () => {
  const free = await organization('Sizes', 'tier_free')
  const pro = await organization('More Sizes', 'tier_pro')
  const refused = { status: 403, body: { code: 'plan_limit' } }
  expect(await create(free.slug, 'Big', { desired_instance_size: 'large' })).toMatchObject(refused)
  expect(await create(pro.slug, 'Tiny', { desired_instance_size: 'nano' })).toMatchObject(refused)
})

test('an owner has 2 active projects over all free organizations, whatever comes to ask for more', async () => {
  const [one, two] = [
    await organization('One', 'tier_free'),
    await organization('Two', 'tier_free'),
  ]
  await row(one.id, 'Books', 'ACTIVE_HEALTHY')
  const second = await row(two.id, 'Films', 'COMING_UP')
  const paused = await row(two.id, 'Asleep', 'INACTIVE')
  await row(two.id, 'Broken', 'INIT_FAILED')
  const refused = { status: 403, body: { code: 'free_project_limit' } }
  const third = await create(one.slug, 'Songs')
  expect(third).toMatchObject(refused)
  expect(third.body['message']).toBe(
    'The Free plan includes 2 active projects for each owner. You have 2: Books and Films. Pause or delete one, or upgrade this organization.',
  )
  expect(await ada.call('POST', `/platform/projects/${paused}/restore`)).toMatchObject(refused)
  const reached = await ada.call('GET', at(one.slug, 'members/reached-free-project-limit'))
  expect(Object.values(reached.body)).toMatchObject([
    { primary_email: 'ada@example.com', free_project_limit: 2, active_free_projects: 2 },
  ])
  await plane.db
    .updateTable('platform.projects')
    .set({ status: 'INACTIVE' })
    .where('ref', '=', second)
    .execute()
  expect((await ada.call('POST', `/platform/projects/${paused}/restore`)).status).toBe(200)
  await clear()
})

test('what other owners have is counted and not named', async () => {
  const shared = await organization('Shared', 'tier_free')
  const hers = await organizationOf(dan, 'Secret', 'tier_free')
  await row(hers.id, 'Hidden One', 'ACTIVE_HEALTHY')
  await row(hers.id, 'Hidden Two', 'ACTIVE_HEALTHY')
  const owner = { organization_id: shared.id, user_id: dan.userId, role: 'Owner' as const }
  await plane.db.insertInto('platform.members').values(owner).execute()
  const { status, body } = await create(shared.slug, 'Mine')
  expect([status, body['message']]).toEqual([
    403,
    'The Free plan includes 2 active projects for each owner. dan@example.com, an owner of this organization, has 2. Pause or delete one, or upgrade this organization.',
  ])
  await clear()
})

test('of two creates at once one takes the last place', async () => {
  const [a, b] = [await organization('Race', 'tier_free'), await organization('Track', 'tier_free')]
  await row(a.id, 'First', 'ACTIVE_HEALTHY')
  const both = await Promise.all([create(a.slug, 'Left'), create(b.slug, 'Right')])
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 403]))
  await clear()
})

test('who will be on Free at the end of the period is counted from the moment it is ordered', async () => {
  const pro = await organization('Leaving', 'tier_pro')
  for (const name of ['A b c', 'D e f', 'G h i']) await row(pro.id, name, 'ACTIVE_HEALTHY')
  const down = () => ada.call('PUT', at(pro.slug, 'billing/subscription'), { tier: 'tier_free' })
  expect(await down()).toMatchObject({ status: 403, body: { code: 'free_project_limit' } })
  await plane.db
    .updateTable('platform.projects')
    .set({ status: 'INACTIVE' })
    .where('name', '=', 'G h i')
    .execute()
  expect((await down()).status).toBe(200)
  expect(await create(pro.slug, 'One more')).toMatchObject({
    status: 403,
    body: { code: 'free_project_limit' },
  })
  await clear()
})

test('overdue invoices are told to whoever may see billing, of their own organizations', async () => {
  const late = await organization('Late', 'tier_pro')
  pass(8)
  const overdue = async (who: Person) =>
    Object.values((await who.call('GET', '/platform/stripe/invoices/overdue')).body)
  const told = { organization_id: Number(late.id), overdue_invoice_count: 1 }
  expect(await overdue(ada)).toContainEqual(told)
  expect(await overdue(dan)).toEqual([])
  const member = { organization_id: late.id, user_id: dan.userId, role: 'Developer' as const }
  await plane.db.insertInto('platform.members').values(member).execute()
  expect(await overdue(dan)).toEqual([told])
  await operator('POST', `invoices/${await firstInvoice(late.slug)}/paid`)
  expect(await overdue(dan)).toEqual([])
})

test('a paid plan without an address is told so, unless a partner bills', async () => {
  const { slug } = await organization('Nowhere', 'tier_pro')
  const missing = async () =>
    (await ada.call('GET', `/platform/organizations/${slug}`)).body['organization_missing_address']
  expect(await missing()).toBe(true)
  await operator('PUT', `organizations/${slug}`, { billing_partner: 'aws_marketplace' })
  expect(await missing()).toBe(false)
  expect(
    (await ada.call('PUT', at(slug, 'billing/subscription'), { tier: 'tier_team' })).status,
  ).toBe(403)
  expect((await ada.call('GET', at(slug, 'billing/subscription'))).body).toMatchObject({
    billing_via_partner: true,
    billing_partner: 'aws_marketplace',
  })
  pass(60)
  await plane.billingRound()
  expect(
    (await ada.call('GET', `/platform/organizations/${slug}`)).body['restriction_status'],
  ).toBeNull()
  await operator('PUT', `organizations/${slug}`, { billing_partner: null })
  const address = { line1: 'Way 1', city: 'Ulm', postal_code: '89073', country: 'DE' }
  await ada.call('PUT', at(slug, 'customer'), { address })
  expect(await missing()).toBe(false)
})

test('who does not pay is warned, warned again, and restricted: data is read and not changed until they pay', async () => {
  const { id, slug } = await organization('Debt', 'tier_pro')
  const made = await create(slug, 'Books')
  const ref = String(made.body['ref'])
  const asleep = await row(id, 'Asleep', 'INACTIVE')
  const port = async () => (await ada.call('GET', `/platform/projects/${ref}`)).body
  await expect
    .poll(async () => (await port())['status'], { timeout: 120_000 })
    .toBe('ACTIVE_HEALTHY')
  const server = await plane.compute.inspect(ref)
  if (server.state !== 'running') throw new Error(`The server is ${server.state}`)
  const client = new Client({
    host: server.address.socketDir,
    port: server.address.port,
    user: 'postgres',
    database: 'postgres',
    password,
  })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('create table notes (id int)')
  const insert = () =>
    client.query('insert into notes values (1)').then(
      () => 'written',
      (error: Error) => error.message,
    )
  const status = async () =>
    (await ada.call('GET', `/platform/organizations/${slug}`)).body['restriction_status']
  const told = async () => {
    const headers = { authorization: `Bearer ${internalToken}` }
    return (await plane.app.inject({ url: `/internal/projects/${ref}`, headers })).json<{
      restricted: boolean
    }>().restricted
  }
  const seen: unknown[] = [await status()]
  for (const days of [8, 14, 7]) {
    pass(days)
    await plane.billingRound()
    seen.push(await status())
  }
  expect(seen).toEqual([null, 'grace_period', 'grace_period_over', 'restricted'])
  expect(await told()).toBe(true)
  await expect.poll(insert).toContain('read-only transaction')
  expect((await client.query('select * from notes')).rows.length).toBeGreaterThanOrEqual(0)
  const refused = { status: 402, body: { code: 'organization_restricted' } }
  expect(await create(slug, 'More')).toMatchObject(refused)
  expect(await ada.call('POST', `/platform/projects/${asleep}/restore`)).toMatchObject(refused)
  const { invoices } = (await ada.call('GET', at(slug, 'billing/invoices'))).body as {
    invoices: { id: string; overdue: boolean }[]
  }
  for (const { id: invoice } of invoices) await operator('POST', `invoices/${invoice}/paid`)
  expect(await status()).toBeNull()
  expect(await told()).toBe(false)
  await expect.poll(insert).toBe('written')
  await client.end()
  const history = await plane.db
    .selectFrom('platform.audit_entries')
    .select('change')
    .where('organization_id', '=', id)
    .where('action', '=', 'billing.restriction')
    .orderBy('id')
    .execute()
  expect(
    history.map(
      ({ change }) => (change['after'] as { restriction_status: unknown }).restriction_status,
    ),
  ).toEqual(['grace_period', 'grace_period_over', 'restricted', null])
})

test('what the operator restricts only the operator lets go', async () => {
  const { slug } = await organization('Abuse', 'tier_free')
  const set = (restriction_status: string | null) =>
    operator('PUT', `organizations/${slug}`, { restriction_status })
  expect((await set('restricted')).body).toMatchObject({ restriction_status: 'restricted' })
  await plane.billingRound()
  expect((await create(slug, randomUUID())).status).toBe(402)
  expect((await set(null)).body).toMatchObject({ restriction_status: null })
})
