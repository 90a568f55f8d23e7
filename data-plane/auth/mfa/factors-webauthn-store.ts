import { one, type Db } from '../store.ts'
import type { DeviceKey } from '../passkeys/webauthn.ts'

type NewKeyFactor = { id: string; userId: string; friendlyName: string }

export async function insertKeyFactor(db: Db, factor: NewKeyFactor, at: Date): Promise<void> {
  await db.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
     values ($1, $2, $3, 'webauthn', 'unverified', $4, $4)`,
    [factor.id, factor.userId, factor.friendlyName, at],
  )
}

/** The keys of a user's factors. */
export async function keysOf(
  db: Db,
  userId: string,
): Promise<{ factorId: string; key: DeviceKey }[]> {
  const { rows } = await db.query<{ id: string; web_authn_credential: DeviceKey }>(
    `select id, web_authn_credential from auth.mfa_factors
      where user_id = $1 and factor_type = 'webauthn' and web_authn_credential is not null`,
    [userId],
  )
  return rows.map((row) => ({ factorId: row.id, key: row.web_authn_credential }))
}

export async function saveKey(
  db: Db,
  factorId: string,
  { key, aaguid }: { key: DeviceKey; aaguid?: string },
  at: Date,
): Promise<void> {
  await db.query(
    `update auth.mfa_factors set web_authn_credential = $2, updated_at = $4,
        web_authn_aaguid = coalesce($3, web_authn_aaguid) where id = $1`,
    [factorId, JSON.stringify(key), aaguid ?? null, at],
  )
}

export type KeyChallenge = { type: string; challenge: string; rpId: string; origins: string[] }

export async function saveKeyChallenge(
  db: Db,
  id: string,
  data: Omit<KeyChallenge, 'origins'> & { origins: readonly string[] },
): Promise<void> {
  await db.query('update auth.mfa_challenges set web_authn_session_data = $2 where id = $1', [
    id,
    JSON.stringify(data),
  ])
}

export async function keyChallenge(db: Db, id: string): Promise<KeyChallenge | undefined> {
  const row = await one<{ data: KeyChallenge | null }>(
    db,
    'select web_authn_session_data as data from auth.mfa_challenges where id = $1',
    [id],
  )
  return row?.data ?? undefined
}

export async function answerKeyChallenge(db: Db, id: string, at: Date): Promise<void> {
  await db.query('update auth.mfa_challenges set verified_at = $2 where id = $1', [id, at])
}
