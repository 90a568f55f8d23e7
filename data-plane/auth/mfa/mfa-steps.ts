import { audit, type AuditEntry } from '../admin/audit-store.ts'
import { AuthError } from '../errors.ts'
import * as store from './factors-store.ts'
import { deleteCodesOfUnguarded } from './recovery-codes-store.ts'
import { brokenUnique, type Db } from '../store.ts'
import { userById } from '../users/users-store.ts'

/** How long a challenge can be answered. */
export const challengeLifeMs = 5 * 60 * 1000

/** Removes a factor, and with the last verified one the recovery codes. */
export async function drop(
  tx: Db,
  { userId, factorId }: { userId: string; factorId: string },
  by: Pick<AuditEntry, 'actor' | 'ip'>,
  at: Date,
): Promise<void> {
  await store.downgradeSessions(tx, factorId, at)
  await store.deleteFactor(tx, factorId)
  const codes = await deleteCodesOfUnguarded(tx, userId)
  if (codes === undefined) return
  await store.downgradeSessions(tx, codes, at)
  const traits = { user_id: userId, factor_id: codes, factor_type: 'recovery_code' }
  await audit(tx, { action: 'recovery_codes_deleted', ...by, traits }, at)
}

/** A factor counts from now on. Codes from before the first one are of a protection that is gone. */
export async function startCounting(
  tx: Db,
  userId: string,
  factorId: string,
  at: Date,
): Promise<void> {
  await deleteCodesOfUnguarded(tx, userId)
  await store.verifyFactor(tx, factorId, at)
  await store.deleteUnverified(tx, userId)
}

/** Everything about the factors of one user takes turns. */
export async function lockUser(tx: Db, userId: string): Promise<void> {
  if (!(await userById(tx, userId, { lock: true }))) throw new AuthError('user_not_found')
}

export async function find(db: Db, userId: string, factorId: string): Promise<store.FactorRow> {
  const factor = await store.factorById(db, userId, factorId)
  if (!factor) throw new AuthError('mfa_factor_not_found')
  return factor
}

export async function usableChallenge(
  tx: Db,
  factorId: string,
  id: string,
  at: Date,
): Promise<store.ChallengeRow> {
  const challenge = await store.challengeById(tx, factorId, id)
  if (!challenge || challenge.verified_at) {
    throw new AuthError(
      'mfa_factor_not_found',
      'MFA factor with the provided challenge ID not found',
    )
  }
  if (at.getTime() - challenge.created_at.getTime() > challengeLifeMs) {
    throw new AuthError('mfa_challenge_expired')
  }
  return challenge
}

export const wrongCode = ({ factor_type: type }: store.FactorRow) =>
  new AuthError(
    'mfa_verification_failed',
    type === 'phone' ? 'Invalid MFA Phone code entered' : undefined,
  )

export function refuseTakenName(error: unknown): never {
  if (brokenUnique(error) === 'mfa_factors_user_friendly_name_unique') {
    throw new AuthError('mfa_factor_name_conflict')
  }
  throw error
}
