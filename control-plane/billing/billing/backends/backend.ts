import type { PaymentMethod } from '#contract/billing/billing-shapes'
import type { Cents } from '#contract/billing/money'

/** Who pays, as the provider is told. */
export type Payee = {
  organizationId: string
  name: string
  email: string | null
  /** The provider's own id, once there is one. */
  externalId: string | null
}

/** An invoice that asks for money. */
export type Bill = { invoiceId: string; number: string; amount: Cents }

/** Money that has arrived. `id` is the provider's own and books it once, however often it is told. */
export type Payment = { id: string; amount: Cents }

export type PaymentEvent = { id: string; type: string } & (
  | { effect: 'paid'; invoiceId: string; payment: Payment }
  /** Given back; `paymentId` is the payment that it belongs to. */
  | { effect: 'refunded'; paymentId: string; refund: Payment }
  | { effect: 'none' }
)

export type SetupIntent = { id: string; client_secret: string | null; url: string | null }

/**
 * How money comes in. One implementation per provider; `backends.db.test.ts` is the suite that each must pass. Every call
 * may be repeated: what was done is not done twice.
 */
export type PaymentBackend = {
  name: 'manual' | 'stripe'
  acceptsCards: boolean
  /** The provider's id for who pays; made when there is none yet. Null where there is nothing to make. */
  customer(payee: Payee): Promise<string | null>
  /** Begins adding a card. @throws ApiError cards_not_accepted */
  setUpCard(payee: Payee | undefined, returnTo: string): Promise<SetupIntent>
  cards(externalId: string | null): Promise<{ data: PaymentMethod[]; defaultId: string | null }>
  /** @throws ApiError payment_method_not_found when it is not one of theirs */
  removeCard(externalId: string | null, id: string): Promise<void>
  /** @throws ApiError payment_method_not_found when it is not one of theirs */
  setDefaultCard(externalId: string | null, id: string): Promise<void>
  /** Takes the money for an invoice; undefined when it has not come (yet). */
  collect(bill: Bill, externalId: string | null): Promise<Payment | undefined>
  /** Where a person can pay it, or in words how. */
  paymentLink(
    bill: Bill,
    payee: Payee,
    returnTo: string,
  ): Promise<{ url: string | null; instructions: string }>
  /** What the provider tells. @throws ApiError bad_signature */
  readEvent(body: string, signature: string): PaymentEvent
}
