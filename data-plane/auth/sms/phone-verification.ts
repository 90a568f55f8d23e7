import { audit } from '../admin/audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import { savePhoneIdentity } from '../users/identities-store.ts'
import { tokenHashes } from '../sign-in/one-time.ts'
import * as tokens from '../sign-in/one-time-tokens-store.ts'
import { applyPhone } from './phone-change.ts'
import type { SessionJson, Sessions } from '../sessions/sessions.ts'
import { senderOf, testOtpOf } from './sms.ts'
import type { PhoneTokenType } from './sms-codes.ts'
import { inTransaction, type Db } from '../store.ts'
import type { AuthTenant, Caller } from '../tenant.ts'
import { isBanned } from '../users/user-json.ts'
import type { UserRow } from '../users/user-row.ts'
import { updateUser, userById } from '../users/users-store.ts'

export type PhoneVerifyType = 'sms' | 'phone_change'

/** Which tokens a type may use. What happens follows from the token itself. */
const accepted: Record<PhoneVerifyType, readonly PhoneTokenType[]> = {
  sms: ['confirmation_token', 'recovery_token'],
  phone_change: ['phone_change_token'],
}

export type PhoneProof = { phone: string; otp: string }

export function createPhoneVerification({ now, limits, fetch, log }: AuthDeps, sessions: Sessions) {
  /** Uses up a code that was sent to a number. Throws 403 `otp_expired` when it is wrong, used or too old. */
  async function verify(
    caller: Caller,
    type: PhoneVerifyType,
    proof: PhoneProof,
  ): Promise<SessionJson> {
    const { tenant } = caller
    await limits.perAddress(caller, 'verify')
    if (!tenant.config.phoneEnabled) throw new AuthError('phone_provider_disabled')
    const refund = await limits.attempt(caller, 'otpFailures', proof.phone)
    const token = await proven(tenant, type, proof)
    const session =
      token && (await inTransaction(tenant.pool, (tx) => finish(tx, caller, token, type)))
    if (!session) throw new AuthError('otp_expired')
    await refund()
    return session
  }

  /** The token that a code belongs to. Whoever made the code says whether it is right. */
  async function proven(
    tenant: AuthTenant,
    type: PhoneVerifyType,
    { phone, otp }: PhoneProof,
  ): Promise<tokens.OneTimeTokenRow | undefined> {
    const check = senderOf(tenant, fetch)?.check
    if (!check || testOtpOf(tenant.config, phone, now()) !== undefined) {
      const hashes = tokenHashes(tenant, { address: phone, otp })
      return tokens.findOneTimeToken(tenant.pool, hashes, accepted[type])
    }
    const pending = await tokens.newestTokenTo(tenant.pool, phone, accepted[type])
    if (!pending || isOld(tenant, pending)) return undefined
    const right = await check(phone, otp).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      log.warn({ tenant: tenant.id, reason }, 'a code could not be checked')
      throw new AuthError('provider_unreachable')
    })
    return right ? pending : undefined
  }

  function isOld({ config }: AuthTenant, { created_at: since }: tokens.OneTimeTokenRow): boolean {
    return now().getTime() - since.getTime() > config.smsOtpExpirySeconds * 1000
  }

  async function finish(
    tx: Db,
    caller: Caller,
    token: tokens.OneTimeTokenRow,
    type: PhoneVerifyType,
  ): Promise<SessionJson | undefined> {
    // The user is locked before the token is taken, as everywhere; then the token may be gone.
    const user = await userById(tx, token.user_id, { lock: true })
    const taken = user && (await tokens.takeFoundToken(tx, token))
    if (!user || !taken || user.deleted_at || isOld(caller.tenant, token)) return undefined
    const current = type === 'phone_change' ? user.phone_change : user.phone
    // The number may have become another one since the code was sent.
    if (current !== token.relates_to) return undefined
    if (isBanned(user, now())) throw new AuthError('user_banned', undefined, { status: 403 })
    const done = await apply(tx, caller, user, token)
    return sessions.begin(tx, caller, done, 'otp', 'phone')
  }

  async function apply(
    tx: Db,
    { ip }: Caller,
    user: UserRow,
    { token_type: type, relates_to: phone }: tokens.OneTimeTokenRow,
  ): Promise<UserRow> {
    const at = now()
    if (type === 'phone_change_token') {
      const traits = { changed: 'phone' }
      await audit(tx, { action: 'user_modified', actor: user, ip, traits }, at)
      return applyPhone(tx, user, phone, at, { proven: true })
    }
    const signsUp = type === 'confirmation_token'
    const action = signsUp ? 'user_signedup' : 'login'
    await audit(tx, { action, actor: user, ip, traits: { provider: 'phone' } }, at)
    await tokens.deleteOneTimeTokens(tx, user.id, ['confirmation_token', 'recovery_token'])
    await savePhoneIdentity(tx, user.id, { number: phone, verified: true }, at)
    if (user.phone_confirmed_at) return user
    // A password that was set before anybody proved anything of this account may be a stranger's; only that of the
    // sign-up which this very code confirms is not.
    const strange = !user.confirmed_at && (!signsUp || Boolean(user.email))
    const changes = { phone_confirmed_at: at, ...(strange && { encrypted_password: null }) }
    return (await updateUser(tx, user.id, changes, at)) ?? user
  }

  return { verify }
}
export type PhoneVerification = ReturnType<typeof createPhoneVerification>
