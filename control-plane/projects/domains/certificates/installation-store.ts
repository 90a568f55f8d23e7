import type { Db, Tx } from '../../../platform-database/database.ts'
import { issuedColumns, limitedUntil, over } from './attempts-store.ts'
import type { Attempt, OrderBook, OrderedName } from './orders.ts'

/** Orders for the installation's own names, and the certificates that there are for them. */
export function installationStore(db: Db) {
  const rows = (from: Db | Tx, hostname: string) =>
    from.updateTable('platform.installation_certificates').where('hostname', '=', hostname)
  const ofAttempt = (from: Db | Tx, { hostname, attempt }: Attempt<OrderedName>) =>
    rows(from, hostname).where('attempt', '=', attempt)

  /** Orders for these names alone. */
  const book = (names: readonly string[]): OrderBook<OrderedName> => ({
    transaction: (run) => db.transaction().execute(run),
    limitedUntil: (tx, { hostname }, at) =>
      limitedUntil(tx, { hostname, organization_id: null }, at),

    due: (at) =>
      db
        .selectFrom('platform.installation_certificates')
        .select(['hostname', 'failures'])
        .where('hostname', 'in', ['', ...names])
        .where('next_at', '<=', at)
        .orderBy('next_at')
        .execute(),

    async begin(tx, { hostname, attempt }, { at, until }) {
      const { numUpdatedRows } = await rows(tx, hostname)
        .set({ ...over, attempt, next_at: until })
        .where('next_at', '<=', at)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await tx
        .insertInto('platform.acme_attempts')
        .values({ hostname, organization_id: null, began_at: at })
        .execute()
      return true
    },

    async postpone(tx, { hostname }, to) {
      await rows(tx, hostname)
        .set({ ...over, ...to })
        .execute()
    },

    async challenge(of, token, answer) {
      const { numUpdatedRows } = await ofAttempt(db, of)
        .set({ challenge_token: token, challenge_answer: answer })
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async succeeded(tx, of, certificate, more) {
      const { numUpdatedRows } = await ofAttempt(tx, of)
        .set({ ...over, ...issuedColumns(certificate, more) })
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async failed(of, to) {
      await ofAttempt(db, of)
        .set({ ...over, ...to })
        .execute()
    },

    async brokenOff(of, at) {
      await ofAttempt(db, of)
        .set({ ...over, next_at: at })
        .execute()
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
