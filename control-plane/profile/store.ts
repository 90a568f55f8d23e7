import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'

export type ProfileRow = Selectable<Tables['platform.profiles']>
export type ProfileStore = ReturnType<typeof profileStore>

export const profileStore = (db: Db) => ({
  find: (userId: string): Promise<ProfileRow | undefined> =>
    db.selectFrom('platform.profiles').selectAll().where('user_id', '=', userId).executeTakeFirst(),

  /** Undefined when this user has a profile already. */
  insert: (row: Insertable<Tables['platform.profiles']>): Promise<ProfileRow | undefined> =>
    db
      .insertInto('platform.profiles')
      .values(row)
      .onConflict((conflict) => conflict.column('user_id').doNothing())
      .returningAll()
      .executeTakeFirst(),
})
