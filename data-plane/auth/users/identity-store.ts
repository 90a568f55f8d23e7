import type { IdentityRow } from './identities-store.ts'
import type { Metadata } from './metadata.ts'
import { one, type Db } from '../store.ts'

const columns =
  'id, user_id, provider_id, provider, identity_data, email, last_sign_in_at, created_at, updated_at'

/** The identity of somebody at a provider, whoever's account it belongs to. */
export function identityAt(
  db: Db,
  provider: string,
  subject: string,
): Promise<IdentityRow | undefined> {
  const sql = `select ${columns} from auth.identities where provider = $1 and provider_id = $2`
  return one(db, sql, [provider, subject])
}

type Identity = { userId: string; provider: string; subject: string; data: Metadata }

/** Adds an identity; false when somebody has it already. */
export async function addIdentity(db: Db, identity: Identity, at: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $5, $5) on conflict (provider_id, provider) do nothing`,
    [identity.subject, identity.userId, JSON.stringify(identity.data), identity.provider, at],
  )
  return rowCount === 1
}

/** Brings an identity up to date with what the provider says now. */
export async function refreshIdentity(db: Db, id: string, data: Metadata, at: Date): Promise<void> {
  await db.query(
    'update auth.identities set identity_data = $2, last_sign_in_at = $3, updated_at = $3 where id = $1',
    [id, JSON.stringify(data), at],
  )
}

/** A mail to the address was answered, where before it only counted as confirmed. */
export async function proveEmailIdentity(db: Db, userId: string, at: Date): Promise<void> {
  await db.query(
    `update auth.identities set identity_data = identity_data || '{"email_verified": true}', updated_at = $2
      where user_id = $1 and provider = 'email' and identity_data ->> 'email_verified' = 'false'`,
    [userId, at],
  )
}

export async function deleteIdentity(db: Db, id: string): Promise<void> {
  await db.query('delete from auth.identities where id = $1', [id])
}

/** Removes all second factors of a user, and the codes that stand in for them. */
export async function deleteFactors(db: Db, userId: string): Promise<void> {
  await db.query('delete from auth.mfa_factors where user_id = $1', [userId])
  await db.query('delete from auth.mfa_recovery_codes where user_id = $1', [userId])
}

/** Takes away how a user is known at providers; what the service itself knows them by stays. */
export async function deleteProviderIdentities(db: Db, userId: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `delete from auth.identities where user_id = $1 and provider not in ('email', 'phone')`,
    [userId],
  )
  return (rowCount ?? 0) > 0
}
