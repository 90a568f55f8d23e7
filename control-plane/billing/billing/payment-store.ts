import type { Db, Tx } from '../../platform-database/database.ts'

export type PaymentStore = ReturnType<typeof paymentStore>

export function paymentStore(db: Db) {
  return {
    /** False when the event was taken in before. */
    takeIn: async (tx: Tx, id: string, type: string): Promise<boolean> =>
      (await tx
        .insertInto('platform.payment_events')
        .values({ id, type })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()) !== undefined,

    /** The invoice that a payment was booked for. */
    invoiceOfPayment: async (paymentId: string): Promise<string | undefined> =>
      (
        await db
          .selectFrom('platform.ledger_entries')
          .select('invoice_id')
          .where('key', '=', `payment:${paymentId}`)
          .where('kind', '=', 'payment')
          .executeTakeFirst()
      )?.invoice_id ?? undefined,
  }
}
