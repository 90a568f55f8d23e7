import Stripe from 'stripe'
import type { PaymentMethod } from '#contract/billing/billing-shapes'
import { formatCents } from '#contract/billing/money'
import { ApiError } from '#kit/errors'
import type { Log } from '#kit/log'
import type { PaymentBackend, PaymentEvent } from './backend.ts'

export type StripeOptions = {
  secretKey: string
  webhookSecret: string
  /** Another server that speaks the protocol; Stripe's own unless told. */
  apiUrl?: string | undefined
  log: Log
}

const idOf = (value: string | { id: string } | null | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.id

/** Cards by Stripe. What Stripe tells us comes signed to POST /platform/stripe/webhook. */
export function stripeBackend({
  secretKey,
  webhookSecret,
  apiUrl,
  log,
}: StripeOptions): PaymentBackend {
  const stripe = new Stripe(secretKey, { ...serverOf(apiUrl), timeout: 20_000, telemetry: false })

  async function ownCard(customer: string | null, id: string): Promise<void> {
    const card = await stripe.paymentMethods.retrieve(id).catch(notThere)
    if (!card || !customer || idOf(card.customer) !== customer) {
      throw new ApiError('payment_method_not_found')
    }
  }

  async function defaultCard(customer: string): Promise<string | null> {
    const found = await stripe.customers.retrieve(customer)
    if (found.deleted) return null
    return idOf(found.invoice_settings.default_payment_method) ?? null
  }

  const customer: PaymentBackend['customer'] = async ({
    organizationId,
    name,
    email,
    externalId,
  }) => {
    if (externalId) return externalId
    const made = await stripe.customers.create(
      { name, ...(email ? { email } : {}), metadata: { organization_id: organizationId } },
      { idempotencyKey: `plinth-customer-${organizationId}` },
    )
    return made.id
  }

  return {
    name: 'stripe',
    acceptsCards: true,
    customer,

    async setUpCard(payee, returnTo) {
      const owner = payee && (await customer(payee))
      if (!owner) {
        const intent = await stripe.setupIntents.create({ usage: 'off_session' })
        return { id: intent.id, client_secret: intent.client_secret, url: null }
      }
      const session = await stripe.checkout.sessions.create({
        mode: 'setup',
        customer: owner,
        currency: 'usd',
        success_url: returnTo,
        cancel_url: returnTo,
      })
      return { id: session.id, client_secret: session.client_secret, url: session.url }
    },

    async cards(externalId) {
      if (!externalId) return { data: [], defaultId: null }
      const defaultId = await defaultCard(externalId)
      const { data } = await stripe.customers.listPaymentMethods(externalId, {
        type: 'card',
        limit: 100,
      })
      return { data: data.flatMap((method) => shapeCard(method, defaultId)), defaultId }
    },

    async removeCard(externalId, id) {
      await ownCard(externalId, id)
      await stripe.paymentMethods.detach(id)
    },

    async setDefaultCard(externalId, id) {
      await ownCard(externalId, id)
      if (!externalId) return
      await stripe.customers.update(externalId, {
        invoice_settings: { default_payment_method: id },
      })
    },

    async collect({ invoiceId, number, amount }, externalId) {
      const card = externalId ? await defaultCard(externalId) : null
      if (!externalId || !card) return undefined
      try {
        const intent = await stripe.paymentIntents.create(
          {
            amount,
            currency: 'usd',
            customer: externalId,
            payment_method: card,
            off_session: true,
            confirm: true,
            description: `Invoice ${number}`,
            metadata: { invoice_id: invoiceId },
          },
          { idempotencyKey: `plinth-collect-${invoiceId}` },
        )
        return intent.status === 'succeeded'
          ? { id: intent.id, amount: intent.amount_received }
          : undefined
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeCardError)) throw error
        // A card that is refused is no failure of ours: the invoice stays open and can be paid by its link.
        log.info({ invoice: invoiceId, code: error.code }, 'a card was refused')
        return undefined
      }
    },

    async paymentLink({ invoiceId, number, amount }, payee, returnTo) {
      const owner = await customer(payee)
      const session = await stripe.checkout.sessions.create({
        mode: 'payment',
        ...(owner ? { customer: owner } : {}),
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: 'usd',
              unit_amount: amount,
              product_data: { name: `Invoice ${number}` },
            },
          },
        ],
        payment_intent_data: { metadata: { invoice_id: invoiceId } },
        success_url: returnTo,
        cancel_url: returnTo,
      })
      return { url: session.url, instructions: `Pay ${formatCents(amount)} for invoice ${number}.` }
    },

    readEvent(body, signature) {
      try {
        return readEvent(stripe.webhooks.constructEvent(body, signature, webhookSecret))
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) {
          throw new ApiError('bad_signature')
        }
        throw error
      }
    },
  }
}

/** Only what changes the books; all else is taken and left. */
function readEvent(event: Stripe.Event): PaymentEvent {
  const { id, type } = event
  if (event.type === 'payment_intent.succeeded') {
    const intent = event.data.object
    const invoiceId = intent.metadata['invoice_id']
    const payment = { id: intent.id, amount: intent.amount_received }
    return invoiceId
      ? { id, type, effect: 'paid', invoiceId, payment }
      : { id, type, effect: 'none' }
  }
  if (event.type === 'refund.created' || event.type === 'refund.updated') {
    const refund = event.data.object
    const paymentId = idOf(refund.payment_intent)
    if (paymentId && refund.status === 'succeeded') {
      const given = { id: refund.id, amount: refund.amount }
      return { id, type, effect: 'refunded', paymentId, refund: given }
    }
  }
  return { id, type, effect: 'none' }
}

function shapeCard(method: Stripe.PaymentMethod, defaultId: string | null): PaymentMethod[] {
  const { id, created, card } = method
  if (!card) return []
  const { brand, exp_month, exp_year, last4 } = card
  return [
    {
      id,
      type: 'card',
      created: new Date(created * 1000).toISOString(),
      is_default: id === defaultId,
      card: { brand, exp_month, exp_year, last4 },
    },
  ]
}

function notThere(error: unknown): undefined {
  if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404) {
    return undefined
  }
  throw error
}

function serverOf(apiUrl: string | undefined): Stripe.StripeConfig {
  if (apiUrl === undefined) return {}
  const { hostname, port, protocol } = new URL(apiUrl)
  const secure = protocol === 'https:'
  return { host: hostname, port: port || (secure ? 443 : 80), protocol: secure ? 'https' : 'http' }
}
