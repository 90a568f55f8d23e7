import { z } from 'zod'
import { addOnTypes } from './add-ons.ts'
import { computeSizeIds } from '../projects/compute-sizes.ts'
import { billingPartners, planIds, tiers } from './plans.ts'
import { Instant } from '../values.ts'

/** Amounts are whole US cents; what is owed is positive, what is given back is negative. */
export const Amount = z.number().int()

export const Plan = z.object({ id: z.enum(planIds), name: z.string() })

export const changeTypes = ['upgrade', 'downgrade', 'none'] as const
export const effectiveAts = ['now', 'end_of_billing_period', 'none'] as const
export const paymentMethodTypes = ['card', 'invoice', 'none'] as const

const AddOn = z.object({
  type: z.enum(addOnTypes),
  variant: z.object({
    identifier: z.string(),
    name: z.string(),
    /** Micro-cents for a month or an hour. */
    price: z.number(),
    price_description: z.string(),
    price_interval: z.enum(['monthly', 'hourly']),
    price_type: z.enum(['fixed', 'usage']),
  }),
})

export const Subscription = z.object({
  plan: Plan,
  tier: z.enum(tiers),
  addons: z.array(AddOn),
  project_addons: z.array(z.object({ ref: z.string(), name: z.string(), addons: z.array(AddOn) })),
  billing_cycle_anchor: Instant,
  current_period_start: Instant,
  current_period_end: Instant,
  next_invoice_at: Instant,
  /** What the organization has paid ahead or was given: the next invoices use it up. */
  customer_balance: Amount,
  payment_method_type: z.enum(paymentMethodTypes),
  /** Whether cards can be taken here at all; without it an operator marks invoices paid. */
  accepts_cards: z.boolean(),
  billing_via_partner: z.boolean(),
  billing_partner: z.enum(billingPartners).nullable(),
  scheduled_plan_change: z
    .object({
      at: Instant,
      target_plan: z.enum(planIds),
      target_tier: z.enum(tiers),
      usage_billing_enabled: z.boolean(),
    })
    .nullable(),
  /** False: the spend cap is on, or the plan bills no usage. */
  usage_billing_enabled: z.boolean(),
})
export type Subscription = z.infer<typeof Subscription>

export const PlanOffer = z.object({
  id: z.enum(planIds),
  tier: z.enum(tiers),
  name: z.string(),
  /** Cents a month; null is agreed one by one. */
  price: Amount.nullable(),
  is_current: z.boolean(),
  change_type: z.enum(changeTypes),
  effective_at: z.enum(effectiveAts),
})
export type PlanOffer = z.infer<typeof PlanOffer>

export const invoiceStatuses = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

export const invoiceReasons = [
  'subscription_start',
  'subscription_cycle',
  'subscription_change',
  'credit_top_up',
] as const
export type InvoiceReason = (typeof invoiceReasons)[number]

export const lineKinds = [
  'plan',
  'proration',
  'compute',
  'compute_credits',
  'branches',
  'add_on',
  'usage',
  'top_up',
] as const

export const InvoiceLine = z.object({
  kind: z.enum(lineKinds),
  description: z.string(),
  /** Hours of compute, or of branches; what was used beyond what the plan includes; 1 for what is charged once. */
  quantity: z.number(),
  unit: z.enum(['hour', 'month', 'gigabyte', 'item']),
  /** Micro-cents a unit, where there is one price for it. */
  unit_price: z.number().nullable(),
  amount: Amount,
  project_ref: z.string().nullable(),
  compute_size: z.enum(computeSizeIds).nullable(),
  period_start: Instant,
  period_end: Instant,
})
export type InvoiceLine = z.infer<typeof InvoiceLine>

export const Invoice = z.object({
  id: z.string(),
  /** Given when the invoice is issued; none while it is a draft. */
  number: z.string().nullable(),
  reason: z.enum(invoiceReasons),
  status: z.enum(invoiceStatuses),
  total: Amount,
  /** Paid ahead or given before, and used up by this invoice. */
  credit_applied: Amount,
  amount_due: Amount,
  amount_paid: Amount,
  amount_remaining: Amount,
  period_start: Instant,
  period_end: Instant,
  created_at: Instant,
  issued_at: Instant.nullable(),
  due_at: Instant.nullable(),
  paid_at: Instant.nullable(),
  overdue: z.boolean(),
})
export type Invoice = z.infer<typeof Invoice>

export const InvoiceDetail = Invoice.extend({ lines: z.array(InvoiceLine) })
export type InvoiceDetail = z.infer<typeof InvoiceDetail>

export const UpcomingInvoice = z.object({
  period_start: Instant,
  /** When it will be made. */
  period_end: Instant,
  lines: z.array(InvoiceLine),
  /** What has come together so far. */
  subtotal: Amount,
  /** With the running projects running on until the period ends. */
  projected_total: Amount,
  customer_balance: Amount,
  amount_due: Amount,
})
export type UpcomingInvoice = z.infer<typeof UpcomingInvoice>

export const ChangePreview = z.object({
  plan: Plan,
  target_tier: z.enum(tiers),
  change_type: z.enum(changeTypes),
  effective_at: z.enum(effectiveAts),
  /** When the change takes effect. */
  at: Instant,
  lines: z.array(InvoiceLine),
  total: Amount,
  credit_applied: Amount,
  amount_due: Amount,
  /** Cents every month from then on, usage apart; null is agreed one by one. */
  monthly_price: Amount.nullable(),
  /** What the change gives and takes, in words. */
  consequences: z.array(z.object({ kind: z.enum(['gain', 'loss', 'notice']), text: z.string() })),
  /** Why it is refused now; null when it may be done. */
  blocked: z.string().nullable(),
})
export type ChangePreview = z.infer<typeof ChangePreview>

export const Address = z.object({
  line1: z.string().trim().min(1).max(200),
  line2: z.string().trim().max(200).nullable().default(null),
  city: z.string().trim().min(1).max(100),
  state: z.string().trim().max(100).nullable().default(null),
  postal_code: z.string().trim().min(1).max(20),
  /** ISO 3166-1, two letters. */
  country: z.string().regex(/^[A-Z]{2}$/, 'must be the two letters of a country'),
})
export type Address = z.infer<typeof Address>

export const Customer = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  additional_emails: z.array(z.string()),
  address: Address.nullable(),
  /** As `customer_balance` of the subscription. */
  balance: Amount,
  billing_via_partner: z.boolean(),
})
export type Customer = z.infer<typeof Customer>

export const TaxId = z.object({
  id: z.string(),
  type: z.string(),
  value: z.string(),
  country: z.string(),
})
export type TaxId = z.infer<typeof TaxId>

export const PaymentMethod = z.object({
  id: z.string(),
  type: z.enum(['card']),
  created: Instant,
  is_default: z.boolean(),
  card: z.object({
    brand: z.string(),
    exp_month: z.number(),
    exp_year: z.number(),
    last4: z.string(),
  }),
})
export type PaymentMethod = z.infer<typeof PaymentMethod>
