import { one, type Db } from '../store.ts'

export type FactorRow = {
  id: string
  user_id: string
  friendly_name: string | null
  factor_type: string
  status: 'verified' | 'unverified'
  created_at: Date
  updated_at: Date
  /** Sealed. */
  secret: string | null
  phone: string | null
  last_challenged_at: Date | null
}

const columns = `id, user_id, friendly_name, factor_type::text as factor_type, status::text as status,
  created_at, updated_at, secret, phone, last_challenged_at`

const select = `select ${columns} from auth.mfa_factors `

export async function factorsOf(db: Db, userIds: readonly string[]): Promise<FactorRow[]> {
  const where = 'where user_id = any ($1::uuid[]) order by created_at, id'
  const { rows } = await db.query<FactorRow>(select + where, [userIds])
  return rows
}

export function factorById(db: Db, userId: string, id: string): Promise<FactorRow | undefined> {
  const where = 'where id = $1 and user_id = $2'
  return one(db, select + where, [id, userId])
}

export type NewFactor = { id: string; userId: string; friendlyName: string } & (
  | { type: 'totp'; sealed: string; phone?: undefined }
  | { type: 'phone'; phone: string; sealed?: undefined }
)

export async function insertFactor(db: Db, factor: NewFactor, at: Date): Promise<void> {
  const { id, userId, friendlyName, type, sealed = null, phone = null } = factor
  await db.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at)
     values ($1, $2, $3, $4, 'unverified', $5, $6, $7, $7)`,
    [id, userId, friendlyName, type, sealed, phone, at],
  )
}

export async function verifyFactor(db: Db, id: string, at: Date): Promise<void> {
  await db.query(
    `update auth.mfa_factors set status = 'verified', updated_at = $2 where id = $1 and status = 'unverified'`,
    [id, at],
  )
}

export async function renameFactor(db: Db, id: string, name: string, at: Date): Promise<void> {
  await db.query('update auth.mfa_factors set friendly_name = $2, updated_at = $3 where id = $1', [
    id,
    name,
    at,
  ])
}

export async function deleteFactor(db: Db, id: string): Promise<void> {
  await db.query('delete from auth.mfa_factors where id = $1', [id])
}

/** Removes what was begun and never finished, all of it or what is older than a time. */
export async function deleteUnverified(db: Db, userId: string, before?: Date): Promise<void> {
  await db.query(
    `delete from auth.mfa_factors where user_id = $1 and status = 'unverified'
        and ($2::timestamptz is null or created_at < $2)`,
    [userId, before ?? null],
  )
}

export type ChallengeRow = {
  id: string
  created_at: Date
  verified_at: Date | null
  /** Of a code that was sent its hash, of an answered one of an app its time step. */
  otp_code: string | null
}

/**
 * Adds a challenge and notes its time at the factor. No two factors may have the same time, so it gets microseconds of
 * its own.
 */
export async function insertChallenge(
  db: Db,
  challenge: {
    id: string
    factorId: string
    ip: string
    microseconds: number
    otpHash?: string | undefined
  },
  at: Date,
): Promise<void> {
  await db.query(
    `insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, otp_code)
     values ($1, $2, $3, $4, $5)`,
    [challenge.id, challenge.factorId, at, challenge.ip, challenge.otpHash ?? null],
  )
  await db.query(
    `update auth.mfa_factors set last_challenged_at = $2::timestamptz + $3 * interval '1 microsecond' where id = $1`,
    [challenge.factorId, at, challenge.microseconds],
  )
}

export function challengeById(
  db: Db,
  factorId: string,
  id: string,
): Promise<ChallengeRow | undefined> {
  return one(
    db,
    'select id, created_at, verified_at, otp_code from auth.mfa_challenges where id = $1 and factor_id = $2',
    [id, factorId],
  )
}

/** Notes that a challenge was answered; of an app the time step, in the column that other kinds of factor keep a code in. */
export async function answerChallenge(
  db: Db,
  id: string,
  step: number | null,
  at: Date,
): Promise<void> {
  await db.query('update auth.mfa_challenges set verified_at = $2, otp_code = $3 where id = $1', [
    id,
    at,
    step === null ? null : String(step),
  ])
}

/** The latest time step whose code was used for this factor. */
export async function usedStep(db: Db, factorId: string): Promise<number | undefined> {
  const row = await one<{ step: string | null }>(
    db,
    `select max(otp_code::bigint) as step from auth.mfa_challenges
      where factor_id = $1 and verified_at is not null and otp_code ~ '^[0-9]{1,15}$'`,
    [factorId],
  )
  return row?.step == null ? undefined : Number(row.step)
}

/** Removes challenges that nobody can answer any more, and whose codes have long passed. */
export async function pruneChallenges(db: Db, factorId: string, before: Date): Promise<void> {
  await db.query('delete from auth.mfa_challenges where factor_id = $1 and created_at < $2', [
    factorId,
    before,
  ])
}

/** Takes the second factor back from the sessions that showed this one, or a recovery code of this set. */
export async function downgradeSessions(db: Db, factorId: string, at: Date): Promise<void> {
  await db.query(
    `with lower as (
       update auth.sessions set aal = 'aal1', factor_id = null, updated_at = $2 where factor_id = $1 returning id
     )
     delete from auth.mfa_amr_claims
      where session_id in (select id from lower) and authentication_method in ('totp', 'phone', 'webauthn', 'recovery_code')`,
    [factorId, at],
  )
}
