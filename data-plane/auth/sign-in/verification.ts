import { audit } from '../admin/audit-store.ts'
import { isPkceToken } from './codes.ts'
import type { AuthDeps } from '../deps.ts'
import { confirmEmailChange } from './email-change.ts'
import { AuthError } from '../errors.ts'
import { saveEmailIdentity } from '../users/identities-store.ts'
import { deleteFactors, proveEmailIdentity } from '../users/identity-store.ts'
import { tokenHashes } from './one-time.ts'
import * as tokens from './one-time-tokens-store.ts'
import { codeForFlow } from './pkce.ts'
import { deleteSessions } from '../sessions/sessions-store.ts'
import type { SessionJson, Sessions } from '../sessions/sessions.ts'
import { inTransaction, type Db } from '../store.ts'
import type { Caller } from '../tenant.ts'
import { withoutProviders } from './unproven.ts'
import { isBanned } from '../users/user-json.ts'
import type { UserRow } from '../users/user-row.ts'
import { updateUser, userById } from '../users/users-store.ts'

export type VerifyType = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email' | 'email_change'

/**
 * Which tokens a type may use. A code from a sign-up or a sign-in mail serves the three general types alike: what
 * happens follows from the token itself.
 */
const accepted: Record<VerifyType, readonly tokens.OneTimeTokenType[]> = {
  signup: ['confirmation_token', 'recovery_token'],
  magiclink: ['confirmation_token', 'recovery_token'],
  email: ['confirmation_token', 'recovery_token'],
  recovery: ['recovery_token'],
  invite: ['confirmation_token'],
  email_change: ['email_change_token_current', 'email_change_token_new'],
}

export type Proof = { tokenHash: string } | { address: string; otp: string }

export type Verified =
  | { kind: 'session'; session: SessionJson }
  | { kind: 'code'; code: string }
  /** One of two addresses agreed to a change. */
  | { kind: 'pending' }

export function createVerification({ now, limits }: AuthDeps, sessions: Sessions) {
  /**
   * Uses up a one-time token. Throws 403 `otp_expired` when it is wrong, used or too old. With `byLink` a token of a
   * PKCE flow gives a code that only its client can exchange, otherwise a session.
   */
  async function verify(
    caller: Caller,
    type: VerifyType,
    proof: Proof,
    { byLink }: { byLink: boolean },
  ): Promise<Verified> {
    await limits.perAddress(caller, 'verify')
    const account = 'address' in proof ? proof.address : undefined
    const refund = account && (await limits.attempt(caller, 'otpFailures', account))
    const wantsCode = byLink && 'tokenHash' in proof && isPkceToken(proof.tokenHash)
    const verified = await inTransaction(caller.tenant.pool, async (tx) => {
      const taken = await take(tx, caller, type, proof)
      return taken && finish(tx, caller, taken, wantsCode)
    })
    if (!verified) throw new AuthError('otp_expired')
    if (refund) await refund()
    return verified
  }

  async function take(tx: Db, { tenant }: Caller, type: VerifyType, proof: Proof) {
    const hashes = tokenHashes(tenant, proof)
    const found = await tokens.findOneTimeToken(tx, hashes, accepted[type])
    // The user is locked before the token is taken, as everywhere; then the token may be gone.
    const user = found && (await userById(tx, found.user_id, { lock: true }))
    const token = user && (await tokens.takeOneTimeToken(tx, hashes, accepted[type]))
    if (!user || !token || user.deleted_at) return undefined
    const age = now().getTime() - token.created_at.getTime()
    if (age > tenant.config.otpExpirySeconds * 1000) return undefined
    if (isBanned(user, now())) throw new AuthError('user_banned', undefined, { status: 403 })
    return { user, token }
  }

  async function finish(
    tx: Db,
    caller: Caller,
    { user, token }: { user: UserRow; token: tokens.OneTimeTokenRow },
    wantsCode: boolean,
  ): Promise<Verified> {
    const at = now()
    const done = await apply(tx, caller, user, token.token_type, at)
    if (!done) return { kind: 'pending' }
    const code = wantsCode ? await codeForFlow(tx, user.id, token.token_type, at) : undefined
    if (wantsCode && code === undefined) throw new AuthError('flow_state_not_found')
    if (code !== undefined) return { kind: 'code', code }
    return { kind: 'session', session: await sessions.begin(tx, caller, done, 'otp') }
  }

  async function apply(
    tx: Db,
    { tenant, ip }: Caller,
    user: UserRow,
    type: tokens.OneTimeTokenType,
    at: Date,
  ): Promise<UserRow | undefined> {
    switch (type) {
      case 'confirmation_token': {
        const action = user.invited_at ? 'invite_accepted' : 'user_signedup'
        await audit(tx, { action, actor: user, ip, traits: { provider: 'email' } }, at)
        return confirm(tx, user, {}, at)
      }
      case 'recovery_token': {
        await audit(tx, { action: 'login', actor: user, ip, traits: { provider: 'email' } }, at)
        // What was set before anybody proved to own the address may be a stranger's: the password, and where people sign
        // in without a proof also sessions and second factors.
        const changes = user.email_confirmed_at ? {} : { encrypted_password: null }
        if (!user.email_confirmed_at) {
          await deleteSessions(tx, user.id, { all: true })
          await deleteFactors(tx, user.id)
          await withoutProviders(tx, user, at)
        }
        return confirm(tx, user, changes, at)
      }
      case 'email_change_token_new':
      case 'email_change_token_current': {
        const changed = await confirmEmailChange(tx, tenant, user, at)
        await audit(
          tx,
          { action: 'user_modified', actor: user, ip, traits: { changed: 'email' } },
          at,
        )
        return changed
      }
      // These are typed, never followed: with the password, and in phone-verification.ts.
      case 'reauthentication_token':
      case 'phone_change_token':
        return undefined
    }
  }

  async function confirm(
    tx: Db,
    user: UserRow,
    changes: { encrypted_password?: null },
    at: Date,
  ): Promise<UserRow> {
    await tokens.deleteOneTimeTokens(tx, user.id, ['confirmation_token', 'recovery_token'])
    if (user.email_confirmed_at) {
      await proveEmailIdentity(tx, user.id, at)
      return user
    }
    const confirmed = await updateUser(tx, user.id, { ...changes, email_confirmed_at: at }, at)
    if (user.email)
      await saveEmailIdentity(tx, user.id, { address: user.email, verified: true }, at)
    return confirmed ?? user
  }

  return { verify }
}
