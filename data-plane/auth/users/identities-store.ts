import type { Metadata } from './metadata.ts'
import type { Db } from '../store.ts'

/** One way in which a user is known, for example `email`. */
export type IdentityRow = {
  id: string
  user_id: string
  provider_id: string
  provider: string
  identity_data: Metadata
  email: string | null
  last_sign_in_at: Date | null
  created_at: Date | null
  updated_at: Date | null
}

export async function identitiesOf(db: Db, userIds: readonly string[]): Promise<IdentityRow[]> {
  const { rows } = await db.query<IdentityRow>(
    `select id, user_id, provider_id, provider, identity_data, email, last_sign_in_at, created_at, updated_at
       from auth.identities where user_id = any ($1::uuid[]) order by created_at, id`,
    [userIds],
  )
  return rows
}

/** Adds the e-mail identity of a user, or brings it up to date. */
export function saveEmailIdentity(
  db: Db,
  userId: string,
  email: { address: string; verified: boolean },
  at: Date,
): Promise<void> {
  const known = { email: email.address, email_verified: email.verified, phone_verified: false }
  return saveOwnIdentity(db, userId, 'email', known, at)
}

/** Adds the phone identity of a user, or brings it up to date. */
export function savePhoneIdentity(
  db: Db,
  userId: string,
  phone: { number: string; verified: boolean },
  at: Date,
): Promise<void> {
  const known = { phone: phone.number, email_verified: false, phone_verified: phone.verified }
  return saveOwnIdentity(db, userId, 'phone', known, at)
}

/** What the service itself confirms is known under the user's own id. */
async function saveOwnIdentity(
  db: Db,
  userId: string,
  provider: 'email' | 'phone',
  known: Metadata,
  at: Date,
): Promise<void> {
  await db.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     values ($1::uuid::text, $1::uuid, $2, $3, $4, $4, $4)
     on conflict (provider_id, provider) do update
       set identity_data = identities.identity_data || excluded.identity_data, updated_at = excluded.updated_at`,
    [userId, JSON.stringify({ sub: userId, ...known }), provider, at],
  )
}

export async function touchIdentity(
  db: Db,
  userId: string,
  provider: string,
  at: Date,
): Promise<void> {
  await db.query(
    'update auth.identities set last_sign_in_at = $3, updated_at = $3 where user_id = $1 and provider = $2',
    [userId, provider, at],
  )
}

export async function deleteIdentities(db: Db, userId: string): Promise<void> {
  await db.query('delete from auth.identities where user_id = $1', [userId])
}
