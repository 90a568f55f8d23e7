import { AuthError } from './errors.ts'
import type { Db } from './store.ts'
import { deleteSessions } from './sessions-store.ts'
import type { Caller } from './tenant.ts'

const wordsOf = (message: unknown, otherwise: string): string =>
  typeof message === 'string' && message !== '' ? message.slice(0, 1000) : otherwise

/**
 * Tells the tenant's hook of a password that was right or wrong. Its rejection is thrown, and ends the user's sessions
 * where it says so.
 */
export async function passwordChecked(
  caller: Caller,
  userId: string,
  valid: boolean,
): Promise<void> {
  const payload = { user_id: userId, valid }
  const answer = await caller.hooks(caller, 'PASSWORD_VERIFICATION_ATTEMPT', payload)
  if (answer?.['decision'] !== 'reject') return
  if (answer['should_logout_user'] === true) {
    await deleteSessions(caller.tenant.pool, userId, { all: true })
  }
  const otherwise = 'Further password verification attempts will be rejected.'
  throw new AuthError('invalid_credentials', wordsOf(answer['message'], otherwise))
}

type Shown = { userId: string; factorId: string; factorType: string; valid: boolean }

/**
 * Tells the tenant's hook of a second factor that was shown, rightly or not. A rejection ends all sessions of the user;
 * it is a result and not thrown, so that this, and what a function of the hook has noted, is committed.
 */
export async function factorShown(
  tx: Db,
  caller: Caller,
  { userId, factorId, factorType, valid }: Shown,
): Promise<AuthError | undefined> {
  const payload = { user_id: userId, factor_id: factorId, factor_type: factorType, valid }
  const answer = await caller.hooks(caller, 'MFA_VERIFICATION_ATTEMPT', payload, tx)
  if (answer?.['decision'] !== 'reject') return undefined
  await deleteSessions(tx, userId, { all: true })
  const otherwise = 'Further MFA verification attempts will be rejected.'
  return new AuthError('mfa_verification_rejected', wordsOf(answer['message'], otherwise))
}
