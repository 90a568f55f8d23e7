import type { ColumnType, Generated } from 'kysely'
import type { RestrictionStatus } from '#contract/billing/billing-operator'
import type {
  Address,
  InvoiceLine,
  InvoiceReason,
  InvoiceStatus,
} from '#contract/billing/billing-shapes'
import type { ComputeSizeId } from '#contract/projects/compute-sizes'
import type { BillingPartner, Tier } from '#contract/billing/plans'

type Stamp = ColumnType<Date, Date | undefined, Date>
/** bigint comes as text; amounts fit a JavaScript number and are written as one. */
type BigCents = ColumnType<string, number, number>
type BigCentsOr0 = ColumnType<string, number | undefined, number>
/** Read as an object, written as JSON text. */
type Json<T> = ColumnType<T | null, string | null | undefined, string | null>

export type BillTo = {
  organization: string
  name: string | null
  email: string | null
  address: Address | null
  tax_ids: { name: string; value: string }[]
}

type Usage = {
  id: Generated<string>
  organization_id: string
  project_ref: string
  project_name: string
  started_at: Date
  ended_at: Date | null
}

/** The tables of 0004_billing.sql. */
export type BillingTables = {
  'platform.organizations': {
    restriction_status: Generated<RestrictionStatus | null>
    grace_period_end: Generated<Date | null>
    restriction_cause: Generated<'overdue' | 'operator' | null>
    billing_partner: Generated<BillingPartner | null>
  }
  'platform.subscriptions': {
    organization_id: string
    anchor: Date
    period_start: Date
    period_end: Date
    scheduled_tier: Tier | null
  }
  'platform.invoices': {
    id: Generated<string>
    organization_id: string
    key: string
    number: string | null
    reason: InvoiceReason
    status: InvoiceStatus
    total: BigCents
    credit_applied: BigCentsOr0
    amount_due: BigCentsOr0
    amount_paid: BigCentsOr0
    period_start: Date
    period_end: Date
    created_at: Date
    issued_at: Date | null
    due_at: Date | null
    paid_at: Date | null
    bill_to: Json<BillTo>
  }
  'platform.invoice_lines': {
    invoice_id: string
    position: number
    kind: InvoiceLine['kind']
    description: string
    quantity: number
    unit: InvoiceLine['unit']
    unit_price: ColumnType<string | null, number | null, number | null>
    amount: BigCents
    project_ref: string | null
    compute_size: ComputeSizeId | null
    period_start: Date
    period_end: Date
  }
  'platform.ledger_entries': {
    id: Generated<string>
    organization_id: string
    kind: 'charge' | 'credit' | 'payment' | 'refund' | 'adjustment'
    amount: BigCents
    description: string
    invoice_id: string | null
    key: string
    occurred_at: Date
  }
  'platform.invoice_counter': { one: boolean; last: ColumnType<string, never, number> }
  'platform.billing_runs': { organization_id: string; period_end: Date; job_id: string }
  'platform.compute_usage': Usage & { compute_size: ComputeSizeId }
  'platform.add_on_usage': Usage & { variant: string }
  'platform.billing_customers': {
    organization_id: string
    name: string | null
    additional_emails: Generated<string[]>
    address: Json<Address>
    external_id: string | null
  }
  'platform.tax_ids': {
    id: Generated<string>
    organization_id: string
    type: string
    country: string
    value: string
    inserted_at: Stamp
  }
  'platform.payment_events': { id: string; type: string; received_at: Stamp }
  'platform.downgrade_feedback': {
    id: Generated<string>
    organization_id: string | null
    reasons: string[]
    message: string
    inserted_at: Stamp
  }
}
