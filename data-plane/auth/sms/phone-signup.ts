import { audit } from '../admin/audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { normalizePhone } from '../mail/emails.ts'
import { AuthError, invalid } from '../errors.ts'
import { savePhoneIdentity } from '../users/identities-store.ts'
import { mergeMetadata, type Metadata } from '../users/metadata.ts'
import { createUser } from '../users/new-user.ts'
import { checkPassword } from '../sign-in/passwords.ts'
import type { SessionJson, Sessions } from '../sessions/sessions.ts'
import { newAccountJson, obfuscatedUser } from '../sign-in/signup-answer.ts'
import { channelOf, createSms, testOtpOf, type UserSms } from './sms.ts'
import { issueCode } from './sms-codes.ts'
import type { SmsChannel } from './sms-providers.ts'
import { inTransaction, type Db } from '../store.ts'
import type { Caller } from '../tenant.ts'
import { atLeast } from '../sign-in/timing.ts'
import { defaultRole, type UserJson } from '../users/user-json.ts'
import type { UserRow } from '../users/user-row.ts'
import { updateUser, userByPhone, type UserChanges } from '../users/users-store.ts'

export type PhoneSignupInput = {
  phone: string
  password: string
  data: Metadata | undefined
  /** As the client names it. */
  channel: string | undefined
}

type Prepared = { phone: string; hash: string; data: Metadata | undefined; channel: SmsChannel }

type Outcome = { taken: true } | { session: SessionJson } | { json: UserJson; sms: UserSms }

const traits = { provider: 'phone' }

export function createPhoneSignup(deps: AuthDeps, sessions: Sessions) {
  const { now, limits, passwords, leaked, fetch } = deps
  const { send } = createSms(deps)

  /** Makes an account: a session at once when numbers need no confirmation, else the user and a code to the number. */
  async function signup(caller: Caller, input: PhoneSignupInput): Promise<SessionJson | UserJson> {
    const { tenant } = caller
    const { config } = tenant
    await limits.perAddress(caller, 'signup')
    if (config.disableSignup) throw new AuthError('signup_disabled')
    if (!config.phoneEnabled) {
      throw new AuthError('phone_provider_disabled', 'Phone signups are disabled')
    }
    const phone = normalizePhone(input.phone)
    const channel = channelOf(config, input.channel)
    if (input.password === '') throw invalid('Signup requires a valid password')
    checkPassword(config, input.password)
    await leaked.refuse(tenant, input.password)
    if (!config.smsAutoconfirm) {
      await limits.sms(caller, phone, { isTest: testOtpOf(config, phone, now()) !== undefined })
    }
    const { data } = input
    const work = async () => {
      const prepared = { phone, channel, data, hash: await passwords.hash(input.password) }
      return inTransaction(tenant.pool, (tx) => save(tx, caller, prepared))
    }
    // Where a taken number is refused openly there is nothing to hide.
    const outcome = await (config.smsAutoconfirm ? work() : atLeast(work))
    if ('session' in outcome) return outcome.session
    if ('taken' in outcome) {
      if (config.smsAutoconfirm) throw new AuthError('user_already_exists')
      return obfuscatedUser(newPhoneUserValues(phone), mergeMetadata({}, data), now())
    }
    await send(caller, outcome.sms)
    return outcome.json
  }

  async function save(tx: Db, caller: Caller, prepared: Prepared): Promise<Outcome> {
    const { tenant, ip } = caller
    const { phone, channel } = prepared
    const at = now()
    const found = await newOrUnconfirmed(tx, caller, prepared, at)
    if (!found) {
      const actor = await userByPhone(tx, phone)
      await audit(tx, { action: 'user_repeated_signup', actor, ip }, at)
      return { taken: true }
    }
    await savePhoneIdentity(tx, found.id, { number: phone, verified: false }, at)
    if (tenant.config.smsAutoconfirm) {
      const user = (await updateUser(tx, found.id, { phone_confirmed_at: at }, at)) ?? found
      await audit(tx, { action: 'user_signedup', actor: user, ip, traits }, at)
      return { session: await sessions.begin(tx, caller, user, 'password', 'phone') }
    }
    const request = { tokenType: 'confirmation_token', phone, channel } as const
    const { user, sms } = await issueCode(tx, tenant, found, request, { at, fetch })
    await audit(tx, { action: 'user_confirmation_requested', actor: user, ip, traits }, at)
    const values = newPhoneUserValues(phone)
    return { json: await newAccountJson(tx, user, values, { provider: 'phone', at }), sms }
  }

  /** A new row, or the one of an earlier sign-up that nobody confirmed: the last one counts. */
  async function newOrUnconfirmed(
    tx: Db,
    caller: Caller,
    { phone, hash, data }: Prepared,
    at: Date,
  ): Promise<UserRow | undefined> {
    const values = { encrypted_password: hash, raw_user_meta_data: mergeMetadata({}, data) }
    const before = await userByPhone(tx, phone, { lock: true })
    const fresh = { ...newPhoneUserValues(phone), ...values }
    const made = before ? undefined : await createUser(tx, caller, fresh, at, { unique: 'phone' })
    if (made) return made
    // Somebody may have made it at this very moment.
    const known = before ?? (await userByPhone(tx, phone, { lock: true }))
    // An account that has an address too, or was proven, is nobody's to take over.
    if (!known || known.confirmed_at || known.email) return undefined
    return updateUser(tx, known.id, values, at)
  }

  return { signup }
}
export type PhoneSignup = ReturnType<typeof createPhoneSignup>

/** App metadata of an account that begins with a number. */
export const phoneAppMetadata = { provider: 'phone', providers: ['phone'] }

/** The columns that every new account with a number starts with. */
export function newPhoneUserValues(phone: string): UserChanges & { phone: string } {
  return {
    aud: defaultRole,
    role: defaultRole,
    phone,
    raw_app_meta_data: phoneAppMetadata,
    raw_user_meta_data: {},
  }
}
