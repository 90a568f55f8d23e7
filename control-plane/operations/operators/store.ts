import type { Db, Tx } from '../../platform-database/database.ts'

export type OperatorPerson = { user_id: string; primary_email: string }
export type OperatorStore = ReturnType<typeof operatorStore>

export const operatorStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

  /** Everybody with this address: single sign-on can make a second account of it. */
  withEmail: (email: string): Promise<OperatorPerson[]> =>
    db
      .selectFrom('platform.profiles')
      .select(['user_id', 'primary_email'])
      .where('primary_email', '=', email)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute(),

  all: () =>
    db
      .selectFrom('platform.operators as operator')
      .innerJoin('platform.profiles as profile', 'profile.user_id', 'operator.user_id')
      .select(['profile.primary_email as email', 'operator.added_at'])
      .where('profile.deleted_at', 'is', null)
      .orderBy('operator.added_at')
      .orderBy('profile.id')
      .execute(),

  hasAny: async (tx: Tx): Promise<boolean> =>
    (await tx
      .selectFrom('platform.operators as operator')
      .innerJoin('platform.profiles as profile', 'profile.user_id', 'operator.user_id')
      .select('operator.user_id')
      .where('profile.deleted_at', 'is', null)
      .limit(1)
      .executeTakeFirst()) !== undefined,

  /** Whether it is new; since when, either way. */
  async add(tx: Tx, userId: string): Promise<{ isNew: boolean; added_at: Date }> {
    const made = await tx
      .insertInto('platform.operators')
      .values({ user_id: userId })
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .returning('added_at')
      .executeTakeFirst()
    if (made) return { isNew: true, added_at: made.added_at }
    const known = await tx
      .selectFrom('platform.operators')
      .select('added_at')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return { isNew: false, added_at: known.added_at }
  },

  async remove(tx: Tx, userId: string): Promise<boolean> {
    const { numDeletedRows } = await tx
      .deleteFrom('platform.operators')
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return numDeletedRows > 0n
  },
})
