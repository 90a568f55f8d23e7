import { audit } from '../admin/audit-store.ts'
import { AuthError } from '../errors.ts'
import { deleteSessions } from '../sessions/sessions-store.ts'
import { inTransaction, type Db } from '../store.ts'
import type { Caller } from '../tenant.ts'
import type { UserRow } from '../users/user-row.ts'

const wordsOf = (message: unknown, otherwise: string): string =>
  typeof message === 'string' && message !== '' ? message.slice(0, 1000) : otherwise

/**
 * Tells the tenant's hook of a password that was right or wrong. Its rejection is thrown, and ends the user's sessions
 * where it says so.
 */
export async function passwordChecked(
  caller: Caller,
  user: UserRow,
  { valid, at }: { valid: boolean; at: Date },
): Promise<void> {
  const payload = { user_id: user.id, valid }
  const answer = await caller.hooks(caller, 'PASSWORD_VERIFICATION_ATTEMPT', payload)
  if (answer?.['decision'] !== 'reject') return
  if (answer['should_logout_user'] === true) {
    await inTransaction(caller.tenant.pool, (tx) => endSessions(tx, caller, user, at))
  }
  const otherwise = 'Further password verification attempts will be rejected.'
  throw new AuthError('invalid_credentials', wordsOf(answer['message'], otherwise))
}

type Shown = {
  user: UserRow
  factor: { id: string; factor_type: string }
  valid: boolean
  at: Date
}

/**
 * Tells the tenant's hook of a second factor that was shown, rightly or not. A rejection ends all sessions of the user;
 * it is a result and not thrown, so that this, and what a function of the hook has noted, is committed.
 */
export async function factorShown(
  tx: Db,
  caller: Caller,
  { user, factor, valid, at }: Shown,
): Promise<AuthError | undefined> {
  const factorFields = { factor_id: factor.id, factor_type: factor.factor_type }
  const payload = { user_id: user.id, ...factorFields, valid }
  const answer = await caller.hooks(caller, 'MFA_VERIFICATION_ATTEMPT', payload, tx)
  if (answer?.['decision'] !== 'reject') return undefined
  await endSessions(tx, caller, user, at)
  const otherwise = 'Further MFA verification attempts will be rejected.'
  return new AuthError('mfa_verification_rejected', wordsOf(answer['message'], otherwise))
}

async function endSessions(tx: Db, { ip }: Caller, user: UserRow, at: Date): Promise<void> {
  await deleteSessions(tx, user.id, { all: true })
  const traits = { scope: 'global', reason: 'rejected by a hook' }
  await audit(tx, { action: 'logout', actor: user, ip, traits }, at)
}
