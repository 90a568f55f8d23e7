import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'

export type ProfileRow = Selectable<Tables['platform.profiles']>
export type ProfileStore = ReturnType<typeof profileStore>
type Values = Updateable<Tables['platform.profiles']>

export const profileStore = (db: Db) => ({
  transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

  find: (userId: string): Promise<ProfileRow | undefined> =>
    db
      .selectFrom('platform.profiles')
      .selectAll()
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),

  lock: (tx: Tx, userId: string): Promise<ProfileRow | undefined> =>
    tx
      .selectFrom('platform.profiles')
      .selectAll()
      .where('user_id', '=', userId)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst(),

  /** Undefined when this user has a profile already. */
  insert: (
    row: Insertable<Tables['platform.profiles']>,
    into: Db | Tx = db,
  ): Promise<ProfileRow | undefined> =>
    into
      .insertInto('platform.profiles')
      .values(row)
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .returningAll()
      .executeTakeFirst(),

  update: (tx: Tx, userId: string, values: Values): Promise<ProfileRow> =>
    tx
      .updateTable('platform.profiles')
      .set(values)
      .where('user_id', '=', userId)
      .returningAll()
      .executeTakeFirstOrThrow(),
})
