import { one, type Db } from '../store.ts'

export type OneTimeTokenType =
  | 'confirmation_token'
  | 'reauthentication_token'
  | 'recovery_token'
  | 'email_change_token_new'
  | 'email_change_token_current'
  | 'phone_change_token'

export type OneTimeTokenRow = {
  id: string
  user_id: string
  token_type: OneTimeTokenType
  token_hash: string
  /** The address or number it was sent to. */
  relates_to: string
  created_at: Date
}

const columns = 'id, user_id, token_type::text as token_type, token_hash, relates_to, created_at'

/** Keeps a token; a user has one of each type, so an older one stops working. */
export async function saveOneTimeToken(
  db: Db,
  token: { userId: string; type: OneTimeTokenType; hash: string; relatesTo: string },
  at: Date,
): Promise<void> {
  await db.query(
    `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
     values (gen_random_uuid(), $1, $2::auth.one_time_token_type, $3, $4, $5, $5)
     on conflict (user_id, token_type) do update
       set token_hash = excluded.token_hash, relates_to = excluded.relates_to,
           created_at = excluded.created_at, updated_at = excluded.updated_at`,
    [token.userId, token.type, token.hash, token.relatesTo, at],
  )
}

const matching = `where token_hash = any ($1::text[])
  and token_type = any ($2::auth.one_time_token_type[])`

/** Looks without using it up. */
export function findOneTimeToken(
  db: Db,
  hashes: readonly string[],
  types: readonly OneTimeTokenType[],
): Promise<OneTimeTokenRow | undefined> {
  const sql = `select ${columns} from auth.one_time_tokens ${matching} order by created_at desc limit 1`
  return one(db, sql, [hashes, types])
}

/** Uses a token up: of two requests with it only one gets the row. */
export function takeOneTimeToken(
  db: Db,
  hashes: readonly string[],
  types: readonly OneTimeTokenType[],
): Promise<OneTimeTokenRow | undefined> {
  const sql = `delete from auth.one_time_tokens ${matching} returning ${columns}`
  return one(db, sql, [hashes, types])
}

/** The newest token that was sent to a number, for codes that only their sender can check. */
export function newestTokenTo(
  db: Db,
  relatesTo: string,
  types: readonly OneTimeTokenType[],
): Promise<OneTimeTokenRow | undefined> {
  const sql = `select ${columns} from auth.one_time_tokens
    where relates_to = $1 and token_type = any ($2::auth.one_time_token_type[])
    order by created_at desc limit 1`
  return one(db, sql, [relatesTo, types])
}

/** Uses up a token that was found before; false when it is gone or was replaced meanwhile. */
export async function takeFoundToken(
  db: Db,
  { id, token_hash: hash }: Pick<OneTimeTokenRow, 'id' | 'token_hash'>,
): Promise<boolean> {
  const sql = 'delete from auth.one_time_tokens where id = $1 and token_hash = $2'
  return (await db.query(sql, [id, hash])).rowCount === 1
}

/** Removes the tokens of a user, all or of the given types. */
export async function deleteOneTimeTokens(
  db: Db,
  userId: string,
  types?: readonly OneTimeTokenType[],
): Promise<void> {
  await db.query(
    `delete from auth.one_time_tokens
      where user_id = $1 and ($2::auth.one_time_token_type[] is null or token_type = any ($2))`,
    [userId, types ?? null],
  )
}

export async function hasOneTimeToken(
  db: Db,
  userId: string,
  types: readonly OneTimeTokenType[],
): Promise<boolean> {
  const found = await one(
    db,
    `select 1 as found from auth.one_time_tokens
      where user_id = $1 and token_type = any ($2::auth.one_time_token_type[]) limit 1`,
    [userId, types],
  )
  return found !== undefined
}
