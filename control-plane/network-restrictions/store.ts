import type { Db, Tx } from '../database/database.ts'

export type NetworkStore = ReturnType<typeof networkStore>

export const networkStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

  allowed: (ref: string) =>
    db
      .selectFrom('platform.projects')
      .select('allowed_networks')
      .where('ref', '=', ref)
      .where('status', '<>', 'REMOVED')
      .executeTakeFirst(),

  /** Two who change them do it one after the other. */
  lock: (tx: Tx, ref: string) =>
    tx
      .selectFrom('platform.projects')
      .select(['organization_id', 'allowed_networks'])
      .where('ref', '=', ref)
      .where('status', '<>', 'REMOVED')
      .forUpdate()
      .executeTakeFirst(),

  async set(tx: Tx, ref: string, networks: readonly string[] | null): Promise<void> {
    await tx
      .updateTable('platform.projects')
      .set({ allowed_networks: networks && [...networks], updated_at: new Date() })
      .where('ref', '=', ref)
      .execute()
  },
})
