import { one, type Db } from '../store.ts'

export type PasskeyRow = {
  id: string
  user_id: string
  credential_id: Buffer
  public_key: Buffer
  /** bigint */
  sign_count: string
  transports: string[]
  friendly_name: string
  created_at: Date
  last_used_at: Date | null
}

const columns =
  'id, user_id, credential_id, public_key, sign_count, transports, friendly_name, created_at, last_used_at'

export async function passkeysOf(db: Db, userId: string): Promise<PasskeyRow[]> {
  const sql = `select ${columns} from auth.webauthn_credentials where user_id = $1 order by created_at, id`
  const { rows } = await db.query<PasskeyRow>(sql, [userId])
  return rows
}

/** The passkey of a credential id, locked: its count is compared and changed in one go. */
export function lockPasskey(db: Db, credentialId: Buffer): Promise<PasskeyRow | undefined> {
  const sql = `select ${columns} from auth.webauthn_credentials where credential_id = $1 for update`
  return one(db, sql, [credentialId])
}

export type NewPasskey = {
  userId: string
  credentialId: Buffer
  publicKey: Buffer
  format: string
  aaguid: string
  counter: number
  transports: readonly string[]
  backupEligible: boolean
  backedUp: boolean
  name: string
}

export async function insertPasskey(db: Db, key: NewPasskey, at: Date): Promise<PasskeyRow> {
  const made = await one<PasskeyRow>(
    db,
    `insert into auth.webauthn_credentials
       (user_id, credential_id, public_key, attestation_type, aaguid, sign_count, transports, backup_eligible,
        backed_up, friendly_name, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) returning ${columns}`,
    [
      key.userId,
      key.credentialId,
      key.publicKey,
      key.format,
      key.aaguid,
      key.counter,
      JSON.stringify(key.transports),
      key.backupEligible,
      key.backedUp,
      key.name,
      at,
    ],
  )
  if (!made) throw new Error('An insert that returns its row returned none')
  return made
}

export async function usePasskey(
  db: Db,
  id: string,
  { counter, backedUp }: { counter: number; backedUp: boolean },
  at: Date,
): Promise<void> {
  await db.query(
    'update auth.webauthn_credentials set sign_count = $2, backed_up = $3, last_used_at = $4, updated_at = $4 where id = $1',
    [id, counter, backedUp, at],
  )
}

export function renamePasskey(
  db: Db,
  userId: string,
  id: string,
  name: string,
  at: Date,
): Promise<PasskeyRow | undefined> {
  return one(
    db,
    `update auth.webauthn_credentials set friendly_name = $3, updated_at = $4
      where id = $1 and user_id = $2 returning ${columns}`,
    [id, userId, name, at],
  )
}

export async function deletePasskey(db: Db, userId: string, id: string): Promise<boolean> {
  const sql = 'delete from auth.webauthn_credentials where id = $1 and user_id = $2'
  return (await db.query(sql, [id, userId])).rowCount === 1
}

export async function deletePasskeys(db: Db, userId: string): Promise<void> {
  await db.query('delete from auth.webauthn_credentials where user_id = $1', [userId])
}

export type Ceremony = 'registration' | 'authentication'

export async function saveCeremony(
  db: Db,
  ceremony: { userId: string | undefined; type: Ceremony; challenge: string; expiresAt: Date },
  at: Date,
): Promise<string> {
  await db.query('delete from auth.webauthn_challenges where expires_at < $1', [at])
  const made = await one<{ id: string }>(
    db,
    `insert into auth.webauthn_challenges (user_id, challenge_type, session_data, created_at, expires_at)
     values ($1, $2, $3, $4, $5) returning id`,
    [
      ceremony.userId ?? null,
      ceremony.type,
      JSON.stringify({ challenge: ceremony.challenge }),
      at,
      ceremony.expiresAt,
    ],
  )
  if (!made) throw new Error('An insert that returns its row returned none')
  return made.id
}

/** Takes a ceremony away for good: whoever comes second with the same one finds nothing. */
export function takeCeremony(
  db: Db,
  id: string,
  type: Ceremony,
): Promise<{ user_id: string | null; challenge: string; expires_at: Date } | undefined> {
  return one(
    db,
    `delete from auth.webauthn_challenges where id = $1 and challenge_type = $2
     returning user_id, session_data ->> 'challenge' as challenge, expires_at`,
    [id, type],
  )
}
