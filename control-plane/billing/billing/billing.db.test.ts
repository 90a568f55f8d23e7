import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tier } from '#contract/billing/plans'
import { silentLog } from '#kit/log'
import { internalToken, startControlPlane } from '../../testing/control-plane.ts'
import type { Person, TestControlPlane } from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

let plane: TestControlPlane
let ada: Person
let dan: Person
let eve: Person
let now = new Date('2026-03-31T09:00:00.000Z')
const pass = (days: number) => {
  now = new Date(now.getTime() + days * 86_400_000)
}

const at = (slug: string, path: string) => `/platform/organizations/${slug}/${path}`

const organization = async (name: string, tier: Tier) =>
  (await organizationOf(ada, name, tier)).slug
async function operator(method: 'POST' | 'PUT', path: string, body?: object) {
  const response = await plane.app.inject({
    method,
    url: `/internal/billing/${path}`,
    headers: { authorization: `Bearer ${internalToken}` },
    ...(body ? { payload: body } : {}),
  })
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() }
}
type Shown = {
  id: string
  number: string
  total: number
  status: string
  amount_remaining: number
  reason: string
}
async function invoicesOf(slug: string): Promise<Shown[]> {
  const { body } = await ada.call('GET', at(slug, 'billing/invoices'))
  // The shape is the contract's; the calls below tell what is in it.
  return body['invoices'] as Shown[]
}
beforeAll(async () => {
  plane = await startControlPlane(silentLog, undefined, { now: () => now })
  ada = await newcomer(plane, 'ada')
  dan = await newcomer(plane, 'dan')
  eve = await newcomer(plane, 'eve')
  await organization('Acme', 'tier_pro')
  const { id } = await plane.db
    .selectFrom('platform.organizations')
    .select('id')
    .where('slug', '=', 'acme')
    .executeTakeFirstOrThrow()
  const member = { organization_id: id, user_id: dan.userId, role: 'Developer' as const }
  await plane.db.insertInto('platform.members').values(member).execute()
})
afterAll(() => plane.end())

test.each([
  ['PUT', 'billing/subscription', { tier: 'tier_gold' }],
  ['PUT', 'billing/subscription', { tier: 'tier_enterprise' }],
  ['POST', 'billing/subscription/preview', {}],
  ['POST', 'billing/credits/top-up', { amount: 499 }],
  ['POST', 'billing/credits/top-up', { amount: 10.5 }],
  ['GET', 'billing/invoices/nonsense', undefined],
  ['PUT', 'customer', { email: 'nobody' }],
  [
    'PUT',
    'customer',
    { address: { line1: 'Street 1', city: 'Bern', postal_code: '3000', country: 'Switzerland' } },
  ],
  ['PUT', 'tax-ids', { type: 'eu_vat', country: 'DE', value: 'DE12' }],
  ['PUT', 'tax-ids', { type: 'eu_vat', country: 'FR', value: 'DE123456789' }],
] as const)('%s %s with %j is 400', async (method, path, body) => {
  expect(await ada.call(method, at('acme', path), body)).toMatchObject({
    status: 400,
    body: { code: 'invalid_input' },
  })
})

test('who may only look changes nothing; to a stranger nothing exists; the operator needs the token', async () => {
  const writes = [
    ['PUT', 'billing/subscription', { tier: 'tier_team' }],
    ['POST', 'billing/subscription/preview', { tier: 'tier_team' }],
    ['POST', 'billing/credits/top-up', { amount: 1000 }],
    ['PUT', 'customer', { name: 'Mine' }],
    ['PUT', 'tax-ids', { type: 'us_ein', country: 'US', value: '12-3456789' }],
    ['DELETE', 'payments', { card_id: 'pm_1' }],
    ['PUT', 'payments/default', { payment_method_id: 'pm_1' }],
  ] as const
  for (const [method, path, body] of writes) {
    expect((await dan.call(method, at('acme', path), body)).status, path).toBe(403)
    expect((await eve.call(method, at('acme', path), body)).status, path).toBe(404)
  }
  for (const path of [
    'billing/subscription',
    'billing/plans',
    'billing/invoices',
    'billing/invoices/upcoming',
    'customer',
    'tax-ids',
    'payments',
  ]) {
    expect((await dan.call('GET', at('acme', path))).status, path).toBe(200)
    expect((await eve.call('GET', at('acme', path))).status, path).toBe(404)
  }
  const [invoice] = await invoicesOf('acme')
  const paid = await ada.call('POST', `/internal/billing/invoices/${invoice?.id}/paid`)
  expect(paid.status).toBe(401)
})

test('what is not there is 404, also the invoice of another organization', async () => {
  const other = await organization('Other', 'tier_pro')
  const [foreign] = await invoicesOf(other)
  for (const path of ['', '/payment-link', '/pdf']) {
    expect(
      await ada.call('GET', at('acme', `billing/invoices/${foreign?.id}${path}`)),
    ).toMatchObject({
      status: 404,
      body: { code: 'invoice_not_found' },
    })
  }
  const nobody = '00000000-0000-4000-8000-000000000000'
  expect((await ada.call('DELETE', at('acme', 'tax-ids'), { id: nobody })).body).toMatchObject({
    code: 'tax_id_not_found',
  })
  expect(
    (await ada.call('DELETE', at('acme', 'payments'), { card_id: 'pm_1' })).body,
  ).toMatchObject({ code: 'payment_method_not_found' })
  expect((await operator('POST', `invoices/${nobody}/paid`)).status).toBe(404)
})

test('without a provider cards are refused with the reason', async () => {
  for (const url of [at('acme', 'payments/setup-intent'), '/platform/stripe/setup-intent']) {
    expect(await ada.call('POST', url)).toMatchObject({
      status: 400,
      body: { code: 'cards_not_accepted' },
    })
  }
  const webhook = await plane.app.inject({
    method: 'POST',
    url: '/platform/stripe/webhook',
    payload: { id: 'evt_1' },
  })
  expect([webhook.statusCode, webhook.json()]).toMatchObject([400, { code: 'bad_signature' }])
})

test('an upgrade is previewed, charged in proportion, and said twice charged once', async () => {
  const slug = await organization('Grow', 'tier_pro')
  const { current_period_end: end } = (await ada.call('GET', at(slug, 'billing/subscription'))).body
  const left = new Date(String(end)).getTime() - now.getTime()
  pass(left / 86_400_000 / 2)
  const preview = await ada.call('POST', at(slug, 'billing/subscription/preview'), {
    tier: 'tier_team',
  })
  expect(preview.body).toMatchObject({
    change_type: 'upgrade',
    effective_at: 'now',
    lines: [{ amount: -1250 }, { amount: 29_950 }],
    amount_due: 28_700,
    blocked: "Pay the organization's overdue invoices first",
  })
  const refused = await ada.call('PUT', at(slug, 'billing/subscription'), { tier: 'tier_team' })
  expect(refused).toMatchObject({ status: 402, body: { code: 'unpaid_invoices' } })
  for (const { id } of await invoicesOf(slug)) await operator('POST', `invoices/${id}/paid`)
  for (let i = 0; i < 2; i++) {
    const up = await ada.call('PUT', at(slug, 'billing/subscription'), { tier: 'tier_team' })
    expect(up).toMatchObject({
      status: 200,
      body: { plan: { id: 'team' }, current_period_end: end, usage_billing_enabled: true },
    })
  }
  expect((await invoicesOf(slug)).map(({ total }) => total)).toEqual([28_700, 2500])
})

test('a downgrade waits for the end of the period, can be taken back, and then happens', async () => {
  const slug = await organization('Shrink', 'tier_pro')
  const [first] = await invoicesOf(slug)
  await operator('POST', `invoices/${first?.id}/paid`)
  const change = (tier: string) => ada.call('PUT', at(slug, 'billing/subscription'), { tier })
  const down = await change('tier_free')
  const end = String(down.body['current_period_end'])
  expect(down.body).toMatchObject({
    plan: { id: 'pro' },
    scheduled_plan_change: { at: end, target_plan: 'free' },
  })
  expect((await change('tier_pro')).body).toMatchObject({ scheduled_plan_change: null })
  await change('tier_free')
  now = new Date(end)
  await plane.billingRound()
  await plane.billingRound()
  await expect
    .poll(async () => (await ada.call('GET', at(slug, 'billing/subscription'))).body['plan'], {
      timeout: 60_000,
    })
    .toMatchObject({ id: 'free' })
  // Nothing was used, and Free asks for nothing: there is no second invoice.
  expect(await invoicesOf(slug)).toHaveLength(1)
  const feedback = { organization_slug: slug, reasons: ['Pricing'], message: 'Too much' }
  expect((await ada.call('POST', '/platform/feedback/downgrade', feedback)).status).toBe(201)
  expect((await eve.call('POST', '/platform/feedback/downgrade', feedback)).status).toBe(404)
})

test('the spend cap is switched at once and costs nothing', async () => {
  const slug = await organization('Cap', 'tier_pro')
  const off = await ada.call('PUT', at(slug, 'billing/subscription'), { tier: 'tier_payg' })
  expect(off.body).toMatchObject({
    plan: { id: 'pro' },
    tier: 'tier_payg',
    usage_billing_enabled: true,
  })
  expect(await invoicesOf(slug)).toHaveLength(1)
})

test('an invoice carries name, address and tax number as they were, on paper too', async () => {
  const slug = await organization('Paper', 'tier_free')
  const address = { line1: 'Bahnhofstrasse 1', city: 'Zürich', postal_code: '8001', country: 'CH' }
  const customer = {
    name: 'Łukasz & Co',
    email: 'books@example.com',
    additional_emails: ['a@example.com'],
    address,
  }
  expect((await ada.call('PUT', at(slug, 'customer'), customer)).body).toMatchObject({
    ...customer,
    balance: 0,
  })
  const vat = { type: 'eu_vat', country: 'DE', value: 'DE123456789' }
  const added = await ada.call('PUT', at(slug, 'tax-ids'), vat)
  expect((await ada.call('PUT', at(slug, 'tax-ids'), vat)).body).toEqual(added.body)
  await ada.call('PUT', at(slug, 'billing/subscription'), { tier: 'tier_pro' })
  await ada.call('PUT', at(slug, 'customer'), { name: 'Somebody Else', address: null })
  const [invoice] = await invoicesOf(slug)
  const row = await plane.db
    .selectFrom('platform.invoices')
    .select('bill_to')
    .where('id', '=', String(invoice?.id))
    .executeTakeFirstOrThrow()
  expect(row.bill_to).toMatchObject({
    name: 'Łukasz & Co',
    address,
    tax_ids: [{ name: 'DE VAT', value: 'DE123456789' }],
  })
  const pdf = await plane.app.inject({
    url: at(slug, `billing/invoices/${invoice?.id}/pdf`),
    headers: { authorization: `Bearer ${ada.token}` },
  })
  expect(pdf.headers).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${invoice?.number}.pdf"`,
  })
  expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  expect(pdf.rawPayload.subarray(-6).toString()).toContain('%%EOF')
  const link = await ada.call('GET', at(slug, `billing/invoices/${invoice?.id}/payment-link`))
  expect(link.body).toMatchObject({ url: null })
  expect(link.body['instructions']).toContain(`Pay $25.00 and name the invoice ${invoice?.number}`)
  expect((await ada.call('DELETE', at(slug, 'tax-ids'), { id: added.body['id'] })).status).toBe(200)
  const count = await plane.app.inject({
    method: 'HEAD',
    url: at(slug, 'billing/invoices'),
    headers: { authorization: `Bearer ${ada.token}` },
  })
  expect([count.statusCode, count.headers['x-total-count']]).toEqual([200, '1'])
})

test('the operator marks invoices paid, once; a settled one cannot be voided', async () => {
  const slug = await organization('Cash', 'tier_pro')
  const [invoice] = await invoicesOf(slug)
  for (let i = 0; i < 2; i++) {
    expect(await operator('POST', `invoices/${invoice?.id}/paid`)).toMatchObject({
      status: 200,
      body: { status: 'paid', amount_paid: 2500, amount_remaining: 0 },
    })
  }
  expect(await operator('POST', `invoices/${invoice?.id}/void`)).toMatchObject({
    status: 409,
    body: { code: 'invoice_settled' },
  })
  expect(
    (await ada.call('GET', at(slug, `billing/invoices/${invoice?.id}/payment-link`))).status,
  ).toBe(409)
  expect((await ada.call('GET', at(slug, 'billing/subscription'))).body).toMatchObject({
    customer_balance: 0,
  })
})
