import { z } from 'zod'
import { Amount, Invoice } from './billing-shapes.ts'
import { endpoint } from '../endpoint.ts'
import { billingPartners, tiers } from './plans.ts'
import { Slug } from '../values.ts'

const ByInvoice = z.object({ invoice_id: z.uuid() })

/** The three states of an organization that owes (requirements §3 and §4), in their order. */
export const restrictionStatuses = ['grace_period', 'grace_period_over', 'restricted'] as const
export type RestrictionStatus = (typeof restrictionStatuses)[number]

/** What the operator does by hand, with the internal token (docs/operating.md), and what the payment provider tells us. */
export const billingOperator = {
  /** Money came in by another way, such as a bank transfer. Saying it twice books it once. */
  markPaid: endpoint('billing.markPaid', 'POST /internal/billing/invoices/:invoice_id/paid', {
    needs: 'internal',
    input: ByInvoice,
    returns: Invoice,
  }),
  markVoid: endpoint('billing.markVoid', 'POST /internal/billing/invoices/:invoice_id/void', {
    needs: 'internal',
    input: ByInvoice,
    returns: Invoice,
  }),
  markUncollectible: endpoint(
    'billing.markUncollectible',
    'POST /internal/billing/invoices/:invoice_id/uncollectible',
    { needs: 'internal', input: ByInvoice, returns: Invoice },
  ),
  /** Gives credit (positive) or takes some back (negative). `key` makes a repetition harmless. */
  giveCredit: endpoint('billing.giveCredit', 'POST /internal/billing/organizations/:slug/credits', {
    needs: 'internal',
    status: 201,
    input: z.object({
      slug: Slug,
      amount: Amount.refine((cents) => cents !== 0, 'must not be 0'),
      description: z.string().trim().min(1).max(200),
      key: z.string().min(1).max(100),
    }),
    returns: z.object({ balance: Amount }),
  }),
  /** Only what is named changes. */
  setStanding: endpoint('billing.setStanding', 'PUT /internal/billing/organizations/:slug', {
    needs: 'internal',
    input: z.object({
      slug: Slug,
      tier: z.enum(tiers).optional(),
      billing_partner: z.enum(billingPartners).nullable().optional(),
      restriction_status: z.enum(restrictionStatuses).nullable().optional(),
    }),
    returns: z.object({
      slug: z.string(),
      tier: z.enum(tiers),
      billing_partner: z.enum(billingPartners).nullable(),
      restriction_status: z.enum(restrictionStatuses).nullable(),
      grace_period_end: z.string().nullable(),
    }),
  }),
  /** Signed by the provider over the bytes of the body; anything else is refused. */
  webhook: endpoint('billing.webhook', 'POST /platform/stripe/webhook', {
    needs: 'anyone',
    raw: true,
    rawBody: true,
    input: z.looseObject({}),
    returns: z.object({ received: z.boolean() }),
  }),
}
