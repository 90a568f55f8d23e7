import type { Db } from '../../../platform-database/database.ts'
import { orderBook } from './order-book-store.ts'
import type { OrderedName } from './orders.ts'

/** Orders for the installation's own names, and the certificates that there are for them. */
export function installationStore(db: Db) {
  /** Orders for these names alone. */
  const book = (names: readonly string[]) =>
    orderBook<OrderedName>(db, {
      due: (at) =>
        db
          .selectFrom('platform.installation_certificates')
          .select(['hostname', 'failures'])
          .where('hostname', 'in', ['', ...names])
          .where('next_at', '<=', at)
          .orderBy('next_at')
          .execute(),
      organizationOf: () => null,
      async toName(from, { hostname }, columns, dueAt) {
        const row = from
          .updateTable('platform.installation_certificates')
          .set(columns)
          .where('hostname', '=', hostname)
        const asked = dueAt ? row.where('next_at', '<=', dueAt) : row
        const { numUpdatedRows } = await asked.executeTakeFirst()
        return numUpdatedRows > 0n
      },
      async toAttempt(from, { hostname, attempt }, columns) {
        const { numUpdatedRows } = await from
          .updateTable('platform.installation_certificates')
          .set(columns)
          .where('hostname', '=', hostname)
          .where('attempt', '=', attempt)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      },
    })

  return {
    book,

    /** Names that have no row yet get one. Those of other names go once nothing could be shown with them. */
    async enroll(names: readonly string[], all: readonly string[], at: Date): Promise<void> {
      if (names.length > 0)
        await db
          .insertInto('platform.installation_certificates')
          .values(names.map((hostname) => ({ hostname, next_at: at })))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      await db
        .deleteFrom('platform.installation_certificates')
        .where('hostname', 'not in', ['', ...all])
        .where((e) => e.or([e('not_after', 'is', null), e('not_after', '<', at)]))
        .execute()
    },

    /** Whoever has mended what an order failed for need not wait. */
    async orderFailedNow(at: Date): Promise<void> {
      await db
        .updateTable('platform.installation_certificates')
        .set({ next_at: at })
        .where('failure', 'is not', null)
        .where('attempt', 'is', null)
        .execute()
    },

    versions: (names: readonly string[]) =>
      db
        .selectFrom('platform.installation_certificates')
        .select(['hostname', 'version'])
        .where('hostname', 'in', ['', ...names])
        .execute(),

    current: (hostname: string) =>
      db
        .selectFrom('platform.installation_certificates')
        .select(['certificate', 'sealed_key', 'version'])
        .where('hostname', '=', hostname)
        .executeTakeFirst(),

    async answer(hostname: string, token: string): Promise<string | null> {
      const row = await db
        .selectFrom('platform.installation_certificates')
        .select('challenge_answer')
        .where('hostname', '=', hostname)
        .where('challenge_token', '=', token)
        .executeTakeFirst()
      return row?.challenge_answer ?? null
    },
  }
}
export type InstallationStore = ReturnType<typeof installationStore>
