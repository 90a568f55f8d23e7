import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '#kit/errors'
import { silentLog } from '#kit/log'
import { operator, origin, startBilling, type TestBilling } from '../../../testing/billing.ts'
import type { PaymentBackend } from './backend.ts'
import { manualBackend } from './manual.ts'
import { stripeBackend } from './stripe.ts'
import { signedEvent, startStripeServer, type StripeServer } from '../../../testing/stripe.ts'

const secret = 'whsec_test'
let server: StripeServer
let stripe: PaymentBackend
beforeAll(async () => {
  server = await startStripeServer()
  stripe = stripeBackend({
    secretKey: 'sk_test_1',
    webhookSecret: secret,
    apiUrl: server.url,
    log: silentLog,
  })
})
afterAll(() => server.close())

const payee = (externalId: string | null = null) => ({
  organizationId: '7',
  name: 'Acme',
  email: null,
  externalId,
})
const bill = { invoiceId: 'invoice-1', number: 'PL-000001', amount: 2500 }
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  )

/** What every backend does, whatever it can. */
describe.each(['manual', 'stripe'] as const)('%s', (name) => {
  const backend = () => (name === 'manual' ? manualBackend() : stripe)

  test('says who it is, and asks again for the same customer gets the same', async () => {
    expect(backend().name).toBe(name)
    const first = await backend().customer(payee())
    expect(await backend().customer(payee())).toBe(first)
    expect(await backend().customer(payee('cus_known'))).toBe(
      name === 'manual' ? null : 'cus_known',
    )
  })

  test('has no cards before one was added, and knows no card of others', async () => {
    const customer = await backend().customer(payee())
    expect(await backend().cards(customer)).toEqual({ data: [], defaultId: null })
    const foreign = server.addCard('cus_somebody')
    for (const card of [foreign, 'pm_nothing']) {
      expect(await codeOf(backend().removeCard(customer, card))).toBe('payment_method_not_found')
      expect(await codeOf(backend().setDefaultCard(customer, card))).toBe(
        'payment_method_not_found',
      )
    }
  })

  test('without a card no money comes by itself, but it can be paid', async () => {
    const customer = await backend().customer(payee())
    expect(await backend().collect(bill, customer)).toBeUndefined()
    const link = await backend().paymentLink(bill, payee(customer), 'http://localhost/back')
    expect(link.url).toBe(name === 'manual' ? null : 'https://checkout.example/1')
    expect(link.instructions).toContain('$25.00')
    expect(link.instructions).toContain('PL-000001')
  })

  test('believes no event that is not signed', () => {
    const { body, signature } = signedEvent('whsec_other', {
      id: 'evt_1',
      type: 'payment_intent.succeeded',
      object: {},
    })
    for (const given of ['', 't=1,v1=00', signature]) {
      expect(() => backend().readEvent(body, given)).toThrow(/not signed/)
    }
  })

  test('adding a card is begun, or refused with the reason', async () => {
    const begun = codeOf(backend().setUpCard(payee(), 'http://localhost/back'))
    expect(await begun).toBe(backend().acceptsCards ? 'done' : 'cards_not_accepted')
  })
})

test('a default card is charged once, however often it is asked; a refused one leaves the invoice open', async () => {
  const customer = await stripe.customer(payee())
  const card = server.addCard(String(customer))
  await stripe.setDefaultCard(customer, card)
  expect(await stripe.cards(customer)).toMatchObject({
    data: [{ id: card, is_default: true, card: { last4: '4242' } }],
    defaultId: card,
  })
  const first = await stripe.collect({ ...bill, invoiceId: 'invoice-2' }, customer)
  expect(first).toMatchObject({ amount: 2500 })
  expect(await stripe.collect({ ...bill, invoiceId: 'invoice-2' }, customer)).toEqual(first)
  expect(server.made('payment_intent')).toHaveLength(1)
  server.cardsRefused.now = true
  expect(await stripe.collect({ ...bill, invoiceId: 'invoice-3' }, customer)).toBeUndefined()
  server.cardsRefused.now = false
  await stripe.removeCard(customer, card)
  expect((await stripe.cards(customer)).data).toEqual([])
})

describe('what Stripe tells', () => {
  let world: TestBilling
  beforeAll(async () => {
    world = await startBilling(stripe)
  })
  afterAll(() => world.end())

  const notify = (id: string, type: string, object: object) => {
    const { body, signature } = signedEvent(secret, { id, type, object })
    return world.billing.parts.payments.takeIn(body, signature)
  }
  const paid = (invoiceId: string, amount: number, id = 'pi_1') => ({
    object: 'payment_intent',
    id,
    amount_received: amount,
    metadata: { invoice_id: invoiceId },
  })
  async function owing() {
    const { slug } = await world.organization('tier_pro')
    const { invoices } = await world.billing.parts.invoices.list(slug, { limit: 1, offset: 0 })
    const id = String(invoices[0]?.id)
    const look = async () => {
      const invoice = await world.billing.parts.invoices.detail(slug, id)
      const { customer_balance: credit } = await world.billing.parts.subscriptions.get(slug)
      return { status: invoice.status, paid: invoice.amount_paid, credit }
    }
    return { slug, id, look }
  }

  test('the same event twice, also at once, and another event about the same payment book it once', async () => {
    const { id, look } = await owing()
    const event = () => notify('evt_a', 'payment_intent.succeeded', paid(id, 2500, 'pi_a'))
    await Promise.all([event(), event()])
    await event()
    await notify('evt_b', 'payment_intent.succeeded', paid(id, 2500, 'pi_a'))
    expect(await look()).toEqual({ status: 'paid', paid: 2500, credit: 0 })
  })

  test('a failure that arrives after the payment changes nothing; paying twice is credit', async () => {
    const { id, look } = await owing()
    await notify('evt_c', 'payment_intent.succeeded', paid(id, 2500, 'pi_c'))
    await notify('evt_d', 'payment_intent.payment_failed', paid(id, 0, 'pi_c'))
    expect(await look()).toMatchObject({ status: 'paid' })
    await notify('evt_e', 'payment_intent.succeeded', paid(id, 2500, 'pi_e'))
    expect(await look()).toEqual({ status: 'paid', paid: 2500, credit: 2500 })
  })

  test('a refund before its payment is told again later; then it is booked once', async () => {
    const { id, look } = await owing()
    const refund = {
      object: 'refund',
      id: 're_1',
      amount: 2500,
      status: 'succeeded',
      payment_intent: 'pi_f',
    }
    const notifyOfRefund = (event: string) => notify(event, 'refund.created', refund)
    expect(await codeOf(notifyOfRefund('evt_f'))).toBe('conflict')
    await notify('evt_g', 'payment_intent.succeeded', paid(id, 2500, 'pi_f'))
    await notifyOfRefund('evt_f')
    await notifyOfRefund('evt_h')
    expect(await look()).toEqual({ status: 'paid', paid: 2500, credit: 0 })
  })

  test('part of the money leaves the invoice open; payments for nothing of ours are taken and left', async () => {
    const { id, look } = await owing()
    await notify('evt_i', 'payment_intent.succeeded', paid(id, 1000, 'pi_i'))
    expect(await look()).toEqual({ status: 'open', paid: 1000, credit: 0 })
    for (const other of ['nonsense', '00000000-0000-4000-8000-000000000000']) {
      expect(await notify(`evt_${other}`, 'payment_intent.succeeded', paid(other, 1))).toEqual({
        received: true,
      })
    }
  })

  test('an organization with a card pays its next invoice by itself', async () => {
    const { slug } = await owing()
    const { id } = await world.billing.parts.subscriptions.payerOf(slug)
    const begun = await world.billing.parts.customers.setUpCard(slug)
    expect(begun.url).toBe('https://checkout.example/1')
    const { external_id } = await world.db
      .selectFrom('platform.billing_customers')
      .select('external_id')
      .where('organization_id', '=', id)
      .executeTakeFirstOrThrow()
    const card = server.addCard(String(external_id))
    const caller = operator
    expect(
      await world.billing.parts.customers.setDefaultCard(caller, slug, card, origin()),
    ).toEqual({ defaultPaymentMethodId: card })
    expect((await world.billing.parts.subscriptions.get(slug)).payment_method_type).toBe('card')
    world.pass(31)
    await world.billing.round()
    const { invoices } = await world.billing.parts.invoices.list(slug, { limit: 1, offset: 0 })
    expect(invoices[0]).toMatchObject({
      reason: 'subscription_cycle',
      status: 'paid',
      amount_paid: 2500,
    })
  })
})
