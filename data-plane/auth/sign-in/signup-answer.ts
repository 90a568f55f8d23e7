import { randomUUID } from 'node:crypto'
import { identitiesOf } from '../users/identities-store.ts'
import type { Metadata } from '../users/metadata.ts'
import type { Db } from '../store.ts'
import { userJson, type UserJson } from '../users/user-json.ts'
import { emptyUser, type UserRow } from '../users/user-row.ts'

/** What a new account would look like, for somebody who may not learn that there is one. */
export function obfuscatedUser(values: Partial<UserRow>, data: Metadata, at: Date): UserJson {
  return userJson(newRow(values, { id: randomUUID(), data }, at), [], [])
}

/**
 * The account that waits to be confirmed, as if it had been made just now. It may be one of before, an invitation or
 * what an administrator made, and whoever signs up has not shown yet that it is theirs: when it was made and what it
 * carries is not for them.
 */
export async function newAccountJson(
  db: Db,
  user: UserRow,
  values: Partial<UserRow>,
  { provider, at }: { provider: 'email' | 'phone'; at: Date },
): Promise<UserJson> {
  const identities = await identitiesOf(db, [user.id])
  const own = identities.filter((one) => one.provider === provider)
  const times = { last_sign_in_at: at, created_at: at, updated_at: at }
  const row = newRow(values, { id: user.id, data: user.raw_user_meta_data }, at)
  return userJson(
    row,
    own.map((one) => ({ ...one, ...times })),
    [],
  )
}

function newRow(
  values: Partial<UserRow>,
  { id, data }: { id: string; data: UserRow['raw_user_meta_data'] },
  at: Date,
): UserRow {
  return {
    ...emptyUser,
    ...values,
    id,
    raw_user_meta_data: data,
    confirmation_sent_at: at,
    created_at: at,
    updated_at: at,
  }
}
