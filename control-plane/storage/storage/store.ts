import type { Db, Tx } from '../../platform-database/database.ts'

export const storageStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

  /** Undefined when there is no such project. */
  async organizationOf(tx: Tx, ref: string): Promise<string | undefined> {
    const row = await tx
      .selectFrom('platform.projects')
      .select('organization_id')
      .where('ref', '=', ref)
      .executeTakeFirst()
    return row?.organization_id
  },

  /** Running projects in the order of their making, behind the one of this id. */
  runningAfter: (id: string, limit: number): Promise<{ id: string; ref: string }[]> =>
    db
      .selectFrom('platform.projects')
      .select(['id', 'ref'])
      .where('status', '=', 'ACTIVE_HEALTHY')
      .where('id', '>', id)
      .orderBy('id')
      .limit(limit)
      .execute(),
})
export type StorageStore = ReturnType<typeof storageStore>
