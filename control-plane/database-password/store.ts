import type { Db, Tx } from '../database/database.ts'

export const databasePasswordStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

  /** Two who set a password at once do it one after the other, in the database as in the platform. */
  lock: (tx: Tx, ref: string) =>
    tx
      .selectFrom('platform.projects')
      .select(['organization_id', 'sealed_secrets'])
      .where('ref', '=', ref)
      .where('status', '<>', 'REMOVED')
      .forUpdate()
      .executeTakeFirst(),

  async setSecrets(tx: Tx, ref: string, sealed: string): Promise<void> {
    await tx
      .updateTable('platform.projects')
      .set({ sealed_secrets: sealed, updated_at: new Date() })
      .where('ref', '=', ref)
      .execute()
  },
})
export type DatabasePasswordStore = ReturnType<typeof databasePasswordStore>
