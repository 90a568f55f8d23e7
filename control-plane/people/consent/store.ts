import type { Db, Tx } from '../../platform-database/database.ts'

export type ConsentRow = { granted: string[]; decided_at: Date }
export type ConsentStore = ReturnType<typeof consentStore>

export const consentStore = (db: Db) => ({
  transaction: <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(work),

  find: (userId: string): Promise<ConsentRow | undefined> =>
    db
      .selectFrom('platform.consents')
      .select(['granted', 'decided_at'])
      .where('user_id', '=', userId)
      .executeTakeFirst(),

  /** The last decision counts. */
  put: (tx: Tx, userId: string, granted: string[]): Promise<ConsentRow> =>
    tx
      .insertInto('platform.consents')
      .values({ user_id: userId, granted })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({ granted, decided_at: new Date() }),
      )
      .returning(['granted', 'decided_at'])
      .executeTakeFirstOrThrow(),
})
