import type { Invoice } from '#contract/billing/billing-shapes'
import { formatCents } from '#contract/billing/money'
import { ApiError } from '#kit/errors'
import type { Caller, Origin } from '#kit/http'
import type { Job } from '#kit/jobs'
import type { Log } from '#kit/log'
import type { RecordChange } from '../../organizations/audit/audit.ts'
import type { Tx } from '../../platform-database/database.ts'
import type { Bill, Payee, PaymentBackend } from './backends/backend.ts'
import type { Books } from './books.ts'
import type { CustomerStore } from './customer-store.ts'
import type { InvoiceRow, InvoiceStore } from './invoice-store.ts'
import { shapeInvoice, type Invoices } from './invoices.ts'
import type { PaymentStore } from './payment-store.ts'
import { periodFrom } from './periods.ts'
import type { BillingStore, Payer } from './store.ts'

type Deps = {
  store: BillingStore
  invoices: InvoiceStore
  shown: Invoices
  customers: CustomerStore
  payments: PaymentStore
  books: Books
  backend: PaymentBackend
  record: RecordChange
  bill: (tx: Tx, payer: Payer, invoice: Parameters<Books['draft']>[2]) => Promise<Job | undefined>
  /** Looks whether the organization still owes, and lifts its restriction when not. */
  review: (tx: Tx, organizationId: string) => Promise<Job[]>
  payerOf: (slug: string) => Promise<Payer>
  startJob: (job: Job) => Promise<void>
  /** The dashboard's own address. */
  url: string
  now: () => Date
  log: Log
}

/** Money that comes in, and by which way. */
export function createPayments(deps: Deps) {
  const { store, invoices, books, backend, customers, now, log } = deps

  async function payeeOf(payer: Payer): Promise<Payee> {
    const { name, external_id } = await customers.find(payer.id)
    return {
      organizationId: payer.id,
      name: name ?? payer.name,
      email: payer.billing_email,
      externalId: external_id,
    }
  }

  /** The payee with its id at the provider, which is made and kept when there is none. */
  async function knownPayee(payer: Payer): Promise<Payee> {
    const payee = await payeeOf(payer)
    if (payee.externalId) return payee
    const externalId = await backend.customer(payee)
    if (externalId) await customers.setExternalId(payer.id, externalId)
    return { ...payee, externalId }
  }

  const billingPage = (slug: string) => `${deps.url}/org/${slug}/billing#invoices`

  function billOf(row: InvoiceRow): Bill {
    const amount = row.amount_due - row.amount_paid
    const asks = row.status === 'open' || row.status === 'uncollectible'
    if (!asks || row.number === null) throw new ApiError('invoice_settled')
    return { invoiceId: row.id, number: row.number, amount }
  }

  /** One change of an invoice under the lock of its books, with its audit entry and what follows from it. */
  async function settle(
    invoiceId: string,
    action: string,
    change: (tx: Tx, row: InvoiceRow) => Promise<InvoiceRow>,
    also: (tx: Tx) => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<InvoiceRow | undefined> {
    const known = await invoices.find(invoiceId)
    if (!known) throw new ApiError('invoice_not_found')
    const organizationId = known.organization_id
    const done = await store.transaction(async (tx) => {
      await store.lockBooks(tx, organizationId)
      if (!(await also(tx))) return undefined
      const before = (await invoices.find(invoiceId, tx)) ?? known
      const after = await change(tx, before)
      if (after.status === before.status && after.amount_paid === before.amount_paid) {
        return { after, jobs: [] }
      }
      await deps.record(tx, {
        organizationId,
        actor: null,
        action,
        target: `invoice:${after.number ?? after.id}`,
        change: {
          before: { status: before.status, paid: formatCents(before.amount_paid) },
          after: { status: after.status, paid: formatCents(after.amount_paid) },
        },
        origin: null,
      })
      return { after, jobs: await deps.review(tx, organizationId) }
    })
    for (const job of done?.jobs ?? []) await deps.startJob(job)
    return done?.after
  }

  const always = async (row: Promise<InvoiceRow | undefined>): Promise<Invoice> => {
    const found = await row
    if (!found) throw new ApiError('invoice_not_found')
    return shapeInvoice(found, now())
  }

  return {
    payeeOf,
    knownPayee,
    billingPage,

    /** Asks the provider for the money of an invoice. What does not come leaves it open. */
    async collect(invoiceId: string): Promise<void> {
      const row = await invoices.find(invoiceId)
      // Credit is bought by hand, never charged by itself.
      if (row?.status !== 'open' || row.number === null || row.reason === 'credit_top_up') return
      const { external_id } = await customers.find(row.organization_id)
      const payment = await backend.collect(billOf(row), external_id)
      if (!payment) return
      await settle(invoiceId, 'billing.pay', (tx) => books.pay(tx, invoiceId, payment))
    },

    async link(slug: string, invoiceId: string) {
      const row = await deps.shown.rowOf(slug, invoiceId)
      const bill = billOf(row)
      const payee = await knownPayee(await deps.payerOf(slug))
      return backend.paymentLink(bill, payee, billingPage(slug))
    },

    /** Draws up an invoice for credit; the credit is there once it is paid. */
    async topUp(caller: Caller, slug: string, amount: number, origin: Origin): Promise<Invoice> {
      const { id } = await deps.payerOf(slug)
      const made = await store.transaction(async (tx) => {
        await store.lockBooks(tx, id)
        const payer = await store.payerById(id, tx)
        if (!payer) throw new ApiError('organization_not_found')
        if (payer.billing_partner) {
          throw new ApiError('not_allowed', 'This organization is billed through a partner')
        }
        const at = now()
        const key = `top-up:${origin.requestId}`
        const period = { start: at, end: periodFrom(at, at).end }
        const job = await deps.bill(tx, payer, {
          key,
          reason: 'credit_top_up',
          period,
          lines: [
            {
              kind: 'top_up',
              description: 'Credit',
              quantity: 1,
              unit: 'item',
              unit_price: null,
              amount,
              project_ref: null,
              compute_size: null,
              period_start: at,
              period_end: at,
            },
          ],
        })
        const row = await invoices.byKey(id, key, tx)
        if (!row) throw new Error('The invoice of a top-up is not there')
        if (job) {
          await deps.record(tx, {
            organizationId: id,
            actor: caller,
            action: 'billing.creditsTopUp',
            target: `invoice:${row.number ?? row.id}`,
            change: { after: { amount: formatCents(amount) } },
            origin,
          })
        }
        return { row, job }
      })
      if (made.job) await deps.startJob(made.job)
      return shapeInvoice(made.row, now())
    },

    /** The operator's word. What is still asked for counts as paid. */
    markPaid: (invoiceId: string): Promise<Invoice> =>
      always(
        settle(invoiceId, 'billing.markPaid', async (tx, row) => {
          if (row.status === 'paid') return row
          if (row.status !== 'open' && row.status !== 'uncollectible') {
            throw new ApiError('invoice_settled')
          }
          const amount = row.amount_due - row.amount_paid
          return books.pay(tx, row.id, { id: `manual:${row.id}`, amount })
        }),
      ),
    markVoid: (invoiceId: string): Promise<Invoice> =>
      always(settle(invoiceId, 'billing.markVoid', (tx) => books.cancel(tx, invoiceId))),
    markUncollectible: (invoiceId: string): Promise<Invoice> =>
      always(settle(invoiceId, 'billing.markUncollectible', (tx) => books.giveUp(tx, invoiceId))),

    /**
     * Takes in what the provider tells, once for each event, whatever the order. A refund whose payment is not known yet
     * is refused, and the provider tells it again.
     */
    async takeIn(body: string, signature: string): Promise<{ received: boolean }> {
      const event = backend.readEvent(body, signature)
      if (event.effect === 'none') return { received: true }
      const once = (tx: Tx) => deps.payments.takeIn(tx, event.id, event.type)
      if (event.effect === 'paid') {
        const { invoiceId, payment } = event
        if (!isUuid.test(invoiceId) || !(await invoices.find(invoiceId))) {
          log.warn({ event: event.id }, 'a payment names no invoice of ours')
          return { received: true }
        }
        await settle(invoiceId, 'billing.pay', (tx) => books.pay(tx, invoiceId, payment), once)
        return { received: true }
      }
      const invoiceId = await deps.payments.invoiceOfPayment(event.paymentId)
      if (!invoiceId) throw new ApiError('conflict', 'The payment of this refund is not known yet')
      const { refund } = event
      const giveBack = async (tx: Tx, row: InvoiceRow) => {
        await books.refund(tx, invoiceId, refund)
        return row
      }
      await settle(invoiceId, 'billing.refund', giveBack, once)
      return { received: true }
    },
  }
}
export type Payments = ReturnType<typeof createPayments>

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
