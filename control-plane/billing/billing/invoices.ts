import type { Invoice, InvoiceDetail, UpcomingInvoice } from '#contract/billing/billing-shapes'
import { ApiError } from '#kit/errors'
import type { Books } from './books.ts'
import type { InvoiceRow, InvoiceStore } from './invoice-store.ts'
import type { LateLines } from './late.ts'
import {
  chargeLines,
  planLines,
  showLine,
  sum,
  usageLines,
  type ComputeUse,
  type UsageCharges,
} from './lines.ts'
import { periodFrom } from './periods.ts'
import type { BillingStore, Payer, SubscriptionRow } from './store.ts'

type Deps = {
  store: BillingStore
  invoices: InvoiceStore
  books: Books
  usage: UsageCharges
  late: LateLines
  payerOf: (slug: string) => Promise<Payer>
  subscriptionOf: (payer: Payer) => Promise<SubscriptionRow>
  now: () => Date
}

const iso = (date: Date | null) => date?.toISOString() ?? null

export function shapeInvoice(row: InvoiceRow, now: Date): Invoice {
  const asks = row.status === 'open' || row.status === 'uncollectible'
  return {
    id: row.id,
    number: row.number,
    reason: row.reason,
    status: row.status,
    total: row.total,
    credit_applied: row.credit_applied,
    amount_due: row.amount_due,
    amount_paid: row.amount_paid,
    amount_remaining: asks ? row.amount_due - row.amount_paid : 0,
    period_start: row.period_start.toISOString(),
    period_end: row.period_end.toISOString(),
    created_at: row.created_at.toISOString(),
    issued_at: iso(row.issued_at),
    due_at: iso(row.due_at),
    paid_at: iso(row.paid_at),
    overdue: asks && row.due_at !== null && row.due_at < now,
  }
}

/** Invoices as their organization sees them. */
export function createInvoices(deps: Deps) {
  const { store, invoices, books, usage, late, payerOf, subscriptionOf, now } = deps

  /** One of this organization's own; drafts are not shown. */
  async function rowOf(slug: string, id: string): Promise<InvoiceRow> {
    const payer = await payerOf(slug)
    const row = await invoices.find(id)
    if (!row || row.organization_id !== payer.id || row.status === 'draft') {
      throw new ApiError('invoice_not_found')
    }
    return row
  }

  return {
    rowOf,

    async detail(slug: string, id: string): Promise<InvoiceDetail> {
      const row = await rowOf(slug, id)
      const lines = await invoices.lines(row.id)
      return { ...shapeInvoice(row, now()), lines: lines.map(showLine) }
    },

    async list(slug: string, page: { limit: number; offset: number }) {
      const { id } = await payerOf(slug)
      const rows = await invoices.list(id, page)
      const pagination = { ...page, count: await invoices.count(id) }
      return { invoices: rows.map((row) => shapeInvoice(row, now())), pagination }
    },

    count: async (slug: string): Promise<number> => invoices.count((await payerOf(slug)).id),

    /** The next one, as far as it is known: what has been used, and the next month of the plan. */
    async upcoming(slug: string): Promise<UpcomingInvoice> {
      const payer = await payerOf(slug)
      const row = await subscriptionOf(payer)
      const period = { start: row.period_start, end: row.period_end }
      const compute = await store.compute(payer.id, period)
      const addOns = await store.addOns(payer.id, period)
      const next = planLines(row.scheduled_tier ?? payer.tier, periodFrom(row.anchor, period.end))
      const { id: organizationId, tier } = payer
      const beyond = [
        ...chargeLines(await usage.charges({ organizationId, tier, period }), period),
        ...(await late(organizationId, period)),
      ]
      const at = now()
      const soFar = [
        ...usageLines(payer.tier, compute.map(until(at)), addOns.map(until(at)), period),
        ...beyond,
        ...next,
      ]
      const projected = sum([
        ...usageLines(payer.tier, compute, addOns, period),
        ...beyond,
        ...next,
      ])
      const balance = await books.credit(payer.id)
      return {
        period_start: period.start.toISOString(),
        period_end: period.end.toISOString(),
        lines: soFar.map(showLine),
        subtotal: sum(soFar),
        projected_total: projected,
        customer_balance: balance,
        amount_due: Math.max(0, projected - balance),
      }
    },
  }
}
export type Invoices = ReturnType<typeof createInvoices>

/** What still runs has run until now. */
const until =
  (at: Date) =>
  <T extends Pick<ComputeUse, 'end'>>(use: T): T => ({ ...use, end: use.end ?? at })
