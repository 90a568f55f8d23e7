import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  person,
  startControlPlane,
  type Person,
  type TestControlPlane,
} from '../../testing/control-plane.ts'

let plane: TestControlPlane
let ada: Person
let strong: Person
const acme = '/platform/organizations/acme'

beforeAll(async () => {
  plane = await startControlPlane()
  ada = person(plane, 'ada@example.com')
  strong = person(plane, ada.email, ada.userId, 'aal2')
  await ada.call('POST', '/platform/profile')
  await ada.call('POST', '/platform/organizations', {
    name: 'Acme',
    kind: 'COMPANY',
    size: '10',
    tier: 'tier_free',
  })
})
afterAll(() => plane.end())

test.each([
  [{ kind: 'CLUB' }],
  [{ size: '7' }],
  [{ opt_in_tags: ['EVERYTHING'] }],
  [{ opt_in_tags: 'AI_SQL_GENERATOR_OPT_IN' }],
  [{ organization_requires_mfa: 'yes' }],
  [{ billing_email: 'nobody' }],
])('%o is refused', async (change) => {
  expect((await ada.call('PATCH', acme, change)).status).toBe(400)
})

test('what is not there to be changed stays: slug, plan, restriction', async () => {
  const before = (await ada.call('GET', acme)).body
  const { body } = await ada.call('PATCH', acme, {
    slug: 'mine',
    tier: 'tier_enterprise',
    plan: { id: 'enterprise' },
    restriction_status: null,
    billing_partner: 'fly',
    id: 1,
  })
  expect(body).toEqual(before)
})

test('a second factor of everybody is asked for, and no longer, by a session that has shown one', async () => {
  const ask = (who: Person, on: boolean) =>
    who.call('PATCH', acme, { organization_requires_mfa: on })
  expect(await ask(ada, true)).toMatchObject({ status: 403, body: { code: 'mfa_required' } })
  expect((await ada.call('GET', acme)).body['organization_requires_mfa']).toBe(false)
  expect((await ask(strong, true)).body['organization_requires_mfa']).toBe(true)
  expect((await ask(ada, false)).status).toBe(403)
  expect((await ask(strong, false)).body['organization_requires_mfa']).toBe(false)
  // Naming the value that is there changes nothing, so it needs nothing.
  expect((await ask(ada, false)).status).toBe(200)
})

test('name, kind, size and the tags of the assistant; what changed is in the log', async () => {
  const { body } = await ada.call('PATCH', acme, {
    name: ' Acme Works ',
    kind: 'STARTUP',
    size: '300',
    opt_in_tags: ['AI_SQL_GENERATOR_OPT_IN'],
  })
  expect(body).toMatchObject({
    name: 'Acme Works',
    slug: 'acme',
    kind: 'STARTUP',
    // Only companies have one.
    size: null,
    opt_in_tags: ['AI_SQL_GENERATOR_OPT_IN'],
  })
  const entry = await plane.db
    .selectFrom('platform.audit_entries')
    .select('change')
    .where('target', '=', 'organization:acme')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(entry.change).toEqual({
    before: { name: 'Acme', kind: 'COMPANY', size: '10', opt_in_tags: [] },
    after: {
      name: 'Acme Works',
      kind: 'STARTUP',
      size: null,
      opt_in_tags: ['AI_SQL_GENERATOR_OPT_IN'],
    },
  })
})

test('two changes at once are both kept', async () => {
  await Promise.all([
    ada.call('PATCH', acme, { name: 'Both' }),
    ada.call('PATCH', acme, { kind: 'AGENCY' }),
  ])
  expect((await ada.call('GET', acme)).body).toMatchObject({ name: 'Both', kind: 'AGENCY' })
})

test('who bills it, what a partner calls it, and a billing email that nobody has named', async () => {
  const own = await ada.call('GET', acme)
  expect(own.body).toMatchObject({
    billing_email: 'ada@example.com',
    billing_partner: null,
    managed_by: 'plinth',
    partner_id: null,
  })
  const of = async (partner: 'vercel_marketplace' | 'aws_marketplace' | 'fly', slug: string) => {
    await plane.db
      .updateTable('platform.organizations')
      .set({ slug, billing_partner: partner, billing_email: null })
      .where('id', '=', String(own.body['id']))
      .execute()
    const { body } = await ada.call('GET', `/platform/organizations/${slug}`)
    const { billing_email, billing_partner, managed_by, partner_id } = body
    return { billing_email, billing_partner, managed_by, partner_id }
  }
  expect(await of('vercel_marketplace', 'vercel_icfg_acme')).toEqual({
    billing_email: 'Unknown',
    billing_partner: 'vercel_marketplace',
    managed_by: 'vercel-marketplace',
    partner_id: 'icfg_acme',
  })
  expect(await of('aws_marketplace', 'acme')).toMatchObject({
    managed_by: 'aws-marketplace',
    partner_id: null,
  })
  // A partner of whom no marketplace is known bills itself, and the plan stays here.
  expect(await of('fly', 'acme')).toMatchObject({ billing_partner: 'fly', managed_by: 'plinth' })
  await plane.db
    .updateTable('platform.organizations')
    .set({ billing_partner: null })
    .where('slug', '=', 'acme')
    .execute()
})

test('an organization that owes something cannot be deleted', async () => {
  const made = await ada.call('POST', '/platform/organizations', {
    name: 'Debtor',
    kind: 'PERSONAL',
    tier: 'tier_free',
  })
  const now = new Date()
  await plane.db
    .insertInto('platform.invoices')
    .values({
      organization_id: String(made.body['id']),
      key: randomUUID(),
      number: `TEST-${randomUUID()}`,
      reason: 'subscription_cycle',
      status: 'open',
      total: 2500,
      amount_due: 2500,
      period_start: now,
      period_end: now,
      created_at: now,
      issued_at: now,
      due_at: now,
      paid_at: null,
      bill_to: null,
    })
    .execute()
  expect(await ada.call('DELETE', '/platform/organizations/debtor')).toMatchObject({
    status: 409,
    body: { code: 'organization_owes' },
  })
  expect((await ada.call('GET', '/platform/organizations/debtor')).status).toBe(200)
})
