import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { InvoiceStatus } from '#contract/billing/billing-shapes'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'
import type { Line } from './lines.ts'

type Row = Selectable<Tables['platform.invoices']>
/** Amounts as numbers: they are cents, and a bigint column is only their home. */
export type InvoiceRow = Omit<Row, 'total' | 'credit_applied' | 'amount_due' | 'amount_paid'> &
  Record<'total' | 'credit_applied' | 'amount_due' | 'amount_paid', number>
export type InvoiceStore = ReturnType<typeof invoiceStore>

const read = (row: Row): InvoiceRow => ({
  ...row,
  total: Number(row.total),
  credit_applied: Number(row.credit_applied),
  amount_due: Number(row.amount_due),
  amount_paid: Number(row.amount_paid),
})

const unpaid: InvoiceStatus[] = ['open', 'uncollectible']

export function invoiceStore(db: Db) {
  const lineRows = async (invoiceId: string, from: Db | Tx): Promise<Line[]> => {
    const rows = await from
      .selectFrom('platform.invoice_lines')
      .select([
        'kind',
        'description',
        'quantity',
        'unit',
        'unit_price',
        'amount',
        'project_ref',
        'compute_size',
        'period_start',
        'period_end',
      ])
      .where('invoice_id', '=', invoiceId)
      .orderBy('position')
      .execute()
    return rows.map((row) => ({
      ...row,
      amount: Number(row.amount),
      unit_price: row.unit_price === null ? null : Number(row.unit_price),
    }))
  }

  return {
    /** A draft with its lines; undefined when there is an invoice with this key. */
    async insert(
      tx: Tx,
      row: Omit<Insertable<Tables['platform.invoices']>, 'status'>,
      lines: readonly Line[],
    ): Promise<InvoiceRow | undefined> {
      const made = await tx
        .insertInto('platform.invoices')
        .values({ ...row, status: 'draft' })
        .onConflict((conflict) => conflict.columns(['organization_id', 'key']).doNothing())
        .returningAll()
        .executeTakeFirst()
      if (!made) return undefined
      await tx
        .insertInto('platform.invoice_lines')
        .values(lines.map((line, position) => ({ ...line, position, invoice_id: made.id })))
        .execute()
      return read(made)
    },

    async byKey(
      organizationId: string,
      key: string,
      from: Db | Tx = db,
    ): Promise<InvoiceRow | undefined> {
      const row = await from
        .selectFrom('platform.invoices')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('key', '=', key)
        .executeTakeFirst()
      return row && read(row)
    },

    async find(id: string, from: Db | Tx = db): Promise<InvoiceRow | undefined> {
      const row = await from
        .selectFrom('platform.invoices')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst()
      return row && read(row)
    },

    lines: (invoiceId: string, from: Db | Tx = db) => lineRows(invoiceId, from),

    /** What was asked for the use of the cycle that began then, on all invoices. */
    async usageOf(organizationId: string, cycleStart: Date, from: Db | Tx = db) {
      const rows = await from
        .selectFrom('platform.invoice_lines as line')
        .innerJoin('platform.invoices as invoice', 'invoice.id', 'line.invoice_id')
        .select(['line.description', 'line.quantity', 'line.amount'])
        .where('invoice.organization_id', '=', organizationId)
        .where('line.kind', '=', 'usage')
        .where('line.period_start', '=', cycleStart)
        .execute()
      return rows.map((row) => ({ ...row, amount: Number(row.amount) }))
    },

    /** The next number of all. Held until `tx` ends, so that none is skipped. */
    async nextNumber(tx: Tx): Promise<string> {
      const { last } = await tx
        .updateTable('platform.invoice_counter')
        .set({ last: sql`last + 1` })
        .returning('last')
        .executeTakeFirstOrThrow()
      return `PL-${last.padStart(6, '0')}`
    },

    /** One compare-and-set: undefined when the invoice is in none of `from`. */
    async move(
      tx: Tx,
      id: string,
      from: readonly InvoiceStatus[],
      values: Updateable<Tables['platform.invoices']>,
    ): Promise<InvoiceRow | undefined> {
      const row = await tx
        .updateTable('platform.invoices')
        .set(values)
        .where('id', '=', id)
        .where('status', 'in', from)
        .returningAll()
        .executeTakeFirst()
      return row && read(row)
    },

    async list(organizationId: string, page: { limit: number; offset: number }) {
      const rows = await db
        .selectFrom('platform.invoices')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .where('status', '<>', 'draft')
        .orderBy('created_at', 'desc')
        // Of two that were made in the same moment the one with the higher number came later.
        .orderBy('number', (order) => order.desc().nullsFirst())
        .orderBy('id')
        .limit(page.limit)
        .offset(page.offset)
        .execute()
      return rows.map(read)
    },

    async count(organizationId: string): Promise<number> {
      const { count } = await db
        .selectFrom('platform.invoices')
        .select((e) => e.fn.countAll<string>().as('count'))
        .where('organization_id', '=', organizationId)
        .where('status', '<>', 'draft')
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** Invoices past their day, of one organization. */
    async overdueCount(organizationId: string, now: Date, from: Db | Tx = db): Promise<number> {
      const { count } = await from
        .selectFrom('platform.invoices')
        .select((e) => e.fn.countAll<string>().as('count'))
        .where('organization_id', '=', organizationId)
        .where('status', 'in', unpaid)
        .where('due_at', '<', now)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    /** The same for several, those without any left out. */
    overdueOf: (organizationIds: readonly string[], now: Date) =>
      organizationIds.length === 0
        ? Promise.resolve([])
        : db
            .selectFrom('platform.invoices')
            .select(['organization_id', (e) => e.fn.countAll<string>().as('count')])
            .where('organization_id', 'in', organizationIds)
            .where('status', 'in', unpaid)
            .where('due_at', '<', now)
            .groupBy('organization_id')
            .orderBy('organization_id')
            .execute(),

    hasUnpaid: async (organizationId: string, from: Db | Tx = db): Promise<boolean> =>
      (await from
        .selectFrom('platform.invoices')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('status', 'in', ['draft', ...unpaid])
        .limit(1)
        .executeTakeFirst()) !== undefined,
  }
}
