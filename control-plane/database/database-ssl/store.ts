import type { Db, Tx } from '../../platform-database/database.ts'

export type DatabaseSslStore = ReturnType<typeof databaseSslStore>

/** Which projects take encrypted connections only. */
export const databaseSslStore = (db: Db) => ({
  /** Undefined: there is no such project. */
  async isEnforced(ref: string): Promise<boolean | undefined> {
    const row = await db
      .selectFrom('platform.projects')
      .select('ssl_enforced')
      .where('ref', '=', ref)
      .where('status', '<>', 'REMOVED')
      .executeTakeFirst()
    return row?.ssl_enforced
  },
  async enforce(tx: Tx, ref: string, enforced: boolean): Promise<void> {
    await tx
      .updateTable('platform.projects')
      .set({ ssl_enforced: enforced, updated_at: new Date() })
      .where('ref', '=', ref)
      .execute()
  },
})
