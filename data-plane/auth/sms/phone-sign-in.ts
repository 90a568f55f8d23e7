import { audit } from '../admin/audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { normalizePhone } from '../mail/emails.ts'
import { AuthError } from '../errors.ts'
import { savePhoneIdentity } from '../users/identities-store.ts'
import { mergeMetadata, type Metadata } from '../users/metadata.ts'
import { createUser } from '../users/new-user.ts'
import { newestTokenTo } from '../sign-in/one-time-tokens-store.ts'
import { newPhoneUserValues } from './phone-signup.ts'
import { channelOf, createSms, testOtpOf, type UserSms } from './sms.ts'
import { issueCode, type CodeRequest } from './sms-codes.ts'
import { inTransaction, type Db } from '../store.ts'
import type { Caller } from '../tenant.ts'
import { atLeast } from '../sign-in/timing.ts'
import type { UserRow } from '../users/user-row.ts'
import { userById, userByPhone } from '../users/users-store.ts'

export type PhoneCodeInput = {
  phone: string
  createUser: boolean
  data: Metadata | undefined
  /** As the client names it. */
  channel: string | undefined
}

/** Everything that sends a code to somebody who is not signed in. */
export function createPhoneSignIn(deps: AuthDeps) {
  const { now, limits, fetch } = deps
  const { send } = createSms(deps)

  async function count(caller: Caller, given: string): Promise<string> {
    const { config } = caller.tenant
    await limits.perAddress(caller, 'otp')
    if (!config.phoneEnabled) throw new AuthError('phone_provider_disabled')
    const phone = normalizePhone(given)
    await limits.sms(caller, phone, { isTest: testOtpOf(config, phone, now()) !== undefined })
    return phone
  }

  /** A code that signs in; makes the account when there is none and `createUser` says so. Gives the message's id. */
  async function signInByCode(caller: Caller, input: PhoneCodeInput): Promise<string> {
    const { tenant } = caller
    const channel = channelOf(tenant.config, input.channel)
    const phone = await count(caller, input.phone)
    const prepare = async (tx: Db) => {
      const known = await userByPhone(tx, phone, { lock: true })
      const user = known ?? (await newUser(tx, caller, phone, input))
      return issue(tx, caller, user, { tokenType: 'recovery_token', phone, channel })
    }
    // To make an account takes longer than to find one.
    const sms = await atLeast(() => inTransaction(tenant.pool, prepare))
    return send(caller, sms)
  }

  async function newUser(
    tx: Db,
    caller: Caller,
    phone: string,
    { createUser: createsUser, data }: PhoneCodeInput,
  ): Promise<UserRow> {
    const { tenant, ip } = caller
    if (!createsUser || tenant.config.disableSignup) throw new AuthError('otp_disabled')
    const at = now()
    const values = { ...newPhoneUserValues(phone), raw_user_meta_data: mergeMetadata({}, data) }
    const user = await createUser(tx, caller, values, at, { unique: 'phone' })
    if (!user) return madeMeanwhile(tx, phone)
    await savePhoneIdentity(tx, user.id, { number: phone, verified: false }, at)
    await audit(tx, { action: 'user_signedup', actor: user, ip, traits: { provider: 'phone' } }, at)
    return user
  }

  /** Somebody made the account at this very moment. */
  async function madeMeanwhile(tx: Db, phone: string): Promise<UserRow> {
    const user = await userByPhone(tx, phone, { lock: true })
    if (!user) throw new AuthError('conflict')
    return user
  }

  /**
   * Sends the code of a sign-up or of a change of number again, to whoever still waits for it. The answer does not wait
   * for the message: only accounts that wait get one, and how long it takes or that it fails would tell of them.
   */
  async function resend(caller: Caller, type: 'sms' | 'phone_change', given: string) {
    const { tenant } = caller
    const phone = await count(caller, given)
    const again = type === 'sms' ? confirmationAgain : changeAgain
    const sms = await atLeast(() => inTransaction(tenant.pool, (tx) => again(tx, caller, phone)))
    // A failure is in the log; nobody is there any more who could be told.
    if (sms) void send(caller, sms).catch(() => undefined)
  }

  async function confirmationAgain(
    tx: Db,
    caller: Caller,
    phone: string,
  ): Promise<UserSms | undefined> {
    const user = await userByPhone(tx, phone, { lock: true })
    if (!user || user.phone_confirmed_at) return undefined
    // Whoever asked to be signed in gets that again: the code of a sign-up also says yes to its password, which may be
    // a stranger's.
    const waiting = await newestTokenTo(tx, phone, ['confirmation_token', 'recovery_token'])
    const asked = waiting?.token_type === 'recovery_token'
    const tokenType = asked ? 'recovery_token' : 'confirmation_token'
    return issue(tx, caller, user, { tokenType, phone, channel: 'sms' })
  }

  async function changeAgain(tx: Db, caller: Caller, phone: string): Promise<UserSms | undefined> {
    const tokenType = 'phone_change_token'
    const waiting = await newestTokenTo(tx, phone, [tokenType])
    const user = waiting && (await userById(tx, waiting.user_id, { lock: true }))
    if (!user || user.deleted_at || user.phone_change !== phone) return undefined
    return issue(tx, caller, user, { tokenType, phone, channel: 'sms' })
  }

  async function issue(
    tx: Db,
    caller: Caller,
    user: UserRow,
    request: CodeRequest,
  ): Promise<UserSms> {
    const at = now()
    const { sms } = await issueCode(tx, caller.tenant, user, request, { at, fetch })
    const again = request.tokenType === 'recovery_token'
    const action = again ? 'user_recovery_requested' : 'user_confirmation_requested'
    const traits = { provider: 'phone' }
    await audit(tx, { action, actor: user, ip: caller.ip, traits }, at)
    return sms
  }

  return { signInByCode, resend }
}
export type PhoneSignIn = ReturnType<typeof createPhoneSignIn>
