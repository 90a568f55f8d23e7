import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db, Tx } from '../../platform-database/database.ts'
import type { Tables } from '../../platform-database/tables.ts'

export type AccessTokenRow = Selectable<Tables['platform.access_tokens']>
export type AccessTokenStore = ReturnType<typeof accessTokenStore>

/** Everything about a token but its hash. */
const shown = [
  'id',
  'user_id',
  'name',
  'token_alias',
  'expires_at',
  'last_used_at',
  'inserted_at',
] as const
export type ShownToken = Pick<AccessTokenRow, (typeof shown)[number]>

export function accessTokenStore(db: Db) {
  return {
    transaction: <T>(run: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(run),

    list: (userId: string): Promise<ShownToken[]> =>
      db
        .selectFrom('platform.access_tokens')
        .select(shown)
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .execute(),

    find: (userId: string, id: number): Promise<ShownToken | undefined> =>
      db
        .selectFrom('platform.access_tokens')
        .select(shown)
        .where('user_id', '=', userId)
        .where('id', '=', String(id))
        .executeTakeFirst(),

    /**
     * Locks the person's profile, so that two that are made at once cannot pass the limit together.
     * Undefined: there is no profile to have tokens.
     */
    async countLocked(tx: Tx, userId: string): Promise<number | undefined> {
      const profile = await tx
        .selectFrom('platform.profiles')
        .select('id')
        .where('user_id', '=', userId)
        .where('deleted_at', 'is', null)
        .forUpdate()
        .executeTakeFirst()
      if (!profile) return undefined
      const { count } = await tx
        .selectFrom('platform.access_tokens')
        .select(sql<string>`count(*)`.as('count'))
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    insert: (tx: Tx, row: Insertable<Tables['platform.access_tokens']>): Promise<ShownToken> =>
      tx
        .insertInto('platform.access_tokens')
        .values(row)
        .returning(shown)
        .executeTakeFirstOrThrow(),

    remove: (tx: Tx, userId: string, id: number): Promise<ShownToken | undefined> =>
      tx
        .deleteFrom('platform.access_tokens')
        .where('user_id', '=', userId)
        .where('id', '=', String(id))
        .returning(shown)
        .executeTakeFirst(),

    /** The token of this hash that has not expired, with the address of who it belongs to. */
    live: (hash: string) =>
      db
        .selectFrom('platform.access_tokens as token')
        .innerJoin('platform.profiles as profile', 'profile.user_id', 'token.user_id')
        .select([
          'token.id',
          'token.user_id',
          'profile.primary_email as email',
          // By the clock that wrote it.
          sql<boolean>`token.last_used_at is null or token.last_used_at < now() - interval '1 minute'`.as(
            'use_is_news',
          ),
        ])
        .where('token.token_hash', '=', hash)
        .where('profile.deleted_at', 'is', null)
        .where((e) =>
          e.or([e('token.expires_at', 'is', null), e('token.expires_at', '>', sql<Date>`now()`)]),
        )
        .executeTakeFirst(),

    async used(id: string): Promise<void> {
      await db
        .updateTable('platform.access_tokens')
        .set({ last_used_at: sql<Date>`now()` })
        .where('id', '=', id)
        .execute()
    },
  }
}
