import { taxIdTypes } from '#contract/billing/tax-ids'
import type { InvoiceReason } from '#contract/billing/billing-shapes'
import type { Cents } from '#contract/billing/money'
import { ApiError } from '#kit/errors'
import type { Tx } from '../../platform-database/database.ts'
import type { BillTo } from '../../platform-database/tables-organizations.ts'
import type { CustomerStore } from './customer-store.ts'
import type { InvoiceRow, InvoiceStore } from './invoice-store.ts'
import type { LedgerStore } from './ledger-store.ts'
import { sum, type Line } from './lines.ts'
import type { Period } from './periods.ts'
import type { Payer } from './store.ts'
import { daysAfter, terms } from './terms.ts'

type Deps = {
  invoices: InvoiceStore
  ledger: LedgerStore
  customers: CustomerStore
  now: () => Date
}

type NewInvoice = { key: string; reason: InvoiceReason; period: Period; lines: readonly Line[] }

/**
 * The rules of the books. Every function wants the organization's books locked by its transaction (`lockBooks`).
 * What holds after each: the entries of an issued invoice sum up to its total, and what the books say is owed is what
 * issued invoices still ask for, less what was paid ahead.
 */
export function createBooks({ invoices, ledger, customers, now }: Deps) {
  /** What was paid ahead or given and not used up yet. */
  const credit = async (organizationId: string, tx?: Tx): Promise<Cents> =>
    (await ledger.outstanding(organizationId, tx)) - (await ledger.balance(organizationId, tx))

  const post = (
    tx: Tx,
    invoice: InvoiceRow,
    kind: 'charge' | 'credit' | 'payment' | 'refund' | 'adjustment',
    amount: Cents,
    key: string,
    description: string,
  ) =>
    ledger.book(tx, {
      organization_id: invoice.organization_id,
      kind,
      amount,
      description,
      invoice_id: invoice.id,
      key,
      occurred_at: now(),
    })

  async function billTo(tx: Tx, payer: Payer): Promise<BillTo> {
    const { name, address } = await customers.find(payer.id, tx)
    const taxIds = await customers.taxIds(payer.id, tx)
    return {
      organization: payer.name,
      name,
      email: payer.billing_email,
      address,
      tax_ids: taxIds.map(({ type, country, value }) => ({
        name:
          taxIdTypes.find((known) => known.type === type && known.country === country)?.name ??
          type,
        value,
      })),
    }
  }

  async function lock(tx: Tx, id: string): Promise<InvoiceRow> {
    const invoice = await invoices.find(id, tx)
    if (!invoice) throw new ApiError('invoice_not_found')
    return invoice
  }

  return {
    credit,

    /** Undefined when there is an invoice with this key already. */
    draft: (tx: Tx, payer: Payer, { key, reason, period, lines }: NewInvoice) =>
      invoices.insert(
        tx,
        {
          organization_id: payer.id,
          key,
          number: null,
          reason,
          total: sum(lines),
          period_start: period.start,
          period_end: period.end,
          created_at: now(),
          issued_at: null,
          due_at: null,
          paid_at: null,
        },
        lines,
      ),

    /** Gives a draft its number, books its lines and uses up what was paid ahead. An issued one stays as it is. */
    async issue(tx: Tx, payer: Payer, id: string): Promise<InvoiceRow> {
      const draft = await lock(tx, id)
      if (draft.status !== 'draft') return draft
      const topUp = draft.reason === 'credit_top_up'
      const asked = Math.max(draft.total, 0)
      // Credit does not buy credit. Below zero (a credit was refunded after it was used) it is asked for here.
      const applied = topUp || asked === 0 ? 0 : Math.min(await credit(payer.id, tx), asked)
      const due = asked - applied
      for (const [position, line] of (await invoices.lines(id, tx)).entries()) {
        if (line.amount === 0) continue
        const kind = line.amount > 0 ? 'charge' : 'credit'
        await post(tx, draft, kind, line.amount, `line:${id}:${position}`, line.description)
      }
      const at = now()
      const issued = await invoices.move(tx, id, ['draft'], {
        status: due === 0 ? 'paid' : 'open',
        number: await invoices.nextNumber(tx),
        credit_applied: applied,
        amount_due: due,
        issued_at: at,
        // Nobody has to pay ahead.
        due_at: due === 0 || topUp ? null : daysAfter(at, terms.dueDays),
        paid_at: due === 0 ? at : null,
        bill_to: JSON.stringify(await billTo(tx, payer)),
      })
      return issued ?? draft
    },

    /**
     * Books money that came in, once for each `payment`. More than the invoice asked for, or money for one that was
     * voided meanwhile, is kept as credit.
     */
    async pay(tx: Tx, id: string, payment: { id: string; amount: Cents }): Promise<InvoiceRow> {
      const invoice = await lock(tx, id)
      const { amount } = payment
      const key = `payment:${payment.id}`
      if (!(await post(tx, invoice, 'payment', -amount, key, `Payment of ${invoice.number}`))) {
        return invoice
      }
      const paid = Math.min(invoice.amount_due, invoice.amount_paid + amount)
      const settled = paid >= invoice.amount_due
      const moved = await invoices.move(tx, id, ['open', 'uncollectible'], {
        amount_paid: paid,
        ...(settled ? { status: 'paid' as const, paid_at: now() } : {}),
      })
      if (moved && settled && invoice.reason === 'credit_top_up') {
        await post(tx, invoice, 'credit', -invoice.total, `top-up:${id}`, 'Credit bought')
      }
      return moved ?? invoice
    },

    /** Takes an unpaid invoice back: nothing of it is owed any more. */
    async cancel(tx: Tx, id: string): Promise<InvoiceRow> {
      const invoice = await lock(tx, id)
      if (invoice.status === 'void') return invoice
      const moved = await invoices.move(tx, id, ['open', 'uncollectible'], { status: 'void' })
      if (!moved) throw new ApiError('invoice_settled')
      await post(
        tx,
        invoice,
        'adjustment',
        -invoice.total,
        `void:${id}`,
        `${invoice.number} taken back`,
      )
      return moved
    },

    /** Money is no longer expected. It stays owed, and can still be paid. */
    async giveUp(tx: Tx, id: string): Promise<InvoiceRow> {
      const invoice = await lock(tx, id)
      if (invoice.status === 'uncollectible') return invoice
      const moved = await invoices.move(tx, id, ['open'], { status: 'uncollectible' })
      if (!moved) throw new ApiError('invoice_settled')
      return moved
    },

    /**
     * Books money that was given back, once for each `refund`. What an invoice charged is then not owed again; a bought
     * credit is gone with its money.
     */
    async refund(tx: Tx, id: string, refund: { id: string; amount: Cents }): Promise<void> {
      const invoice = await lock(tx, id)
      const text = `Refund of ${invoice.number}`
      if (!(await post(tx, invoice, 'refund', refund.amount, `refund:${refund.id}`, text))) return
      if (invoice.reason === 'credit_top_up') return
      await post(tx, invoice, 'adjustment', -refund.amount, `refunded:${refund.id}`, text)
    },

    /** Credit that is given (positive) or taken back (negative), once for each key. Returns what there is then. */
    async give(tx: Tx, payer: Payer, amount: Cents, description: string, key: string) {
      const before = await credit(payer.id, tx)
      const booked = await ledger.book(tx, {
        organization_id: payer.id,
        kind: amount > 0 ? 'credit' : 'adjustment',
        amount: -amount,
        description,
        invoice_id: null,
        key: `given:${key}`,
        occurred_at: now(),
      })
      if (booked && before + amount < 0) {
        throw new ApiError('invalid_input', 'There is not enough credit to remove')
      }
      return booked ? before + amount : before
    },
  }
}
export type Books = ReturnType<typeof createBooks>
