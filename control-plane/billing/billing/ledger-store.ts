import { sql } from 'kysely'
import type { Insertable, Selectable } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'

export type LedgerEntry = Insertable<Tables['platform.ledger_entries']>
export type LedgerStore = ReturnType<typeof ledgerStore>

/** The books. Entries are only ever added (the database refuses anything else). */
export function ledgerStore(db: Db) {
  return {
    /** False when an entry with this key was booked before. */
    book: async (tx: Tx, entry: LedgerEntry): Promise<boolean> =>
      (await tx
        .insertInto('platform.ledger_entries')
        .values(entry)
        .onConflict((conflict) => conflict.columns(['organization_id', 'key']).doNothing())
        .returning('id')
        .executeTakeFirst()) !== undefined,

    /** What the organization owes by the books, in cents; below zero it has paid ahead. */
    async balance(organizationId: string, from: Db | Tx = db): Promise<number> {
      const { sum } = await from
        .selectFrom('platform.ledger_entries')
        .select(sql<string>`coalesce(sum(amount), 0)`.as('sum'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow()
      return Number(sum)
    },

    /** What issued invoices still ask for. */
    async outstanding(organizationId: string, from: Db | Tx = db): Promise<number> {
      const { sum } = await from
        .selectFrom('platform.invoices')
        .select(sql<string>`coalesce(sum(amount_due - amount_paid), 0)`.as('sum'))
        .where('organization_id', '=', organizationId)
        .where('status', 'in', ['open', 'uncollectible'])
        .executeTakeFirstOrThrow()
      return Number(sum)
    },

    entriesOf: (
      organizationId: string,
      from: Db | Tx = db,
    ): Promise<Selectable<Tables['platform.ledger_entries']>[]> =>
      from
        .selectFrom('platform.ledger_entries')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .orderBy('id')
        .execute(),
  }
}
