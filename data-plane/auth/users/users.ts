import { needSecondFactor, type SignedIn } from '../access.ts'
import { audit } from '../admin/audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { cancelEmailChange } from '../sign-in/email-change.ts'
import { AuthError, invalid } from '../errors.ts'
import { sendMails } from '../hooks/mail-hook.ts'
import { mergeMetadata, type Metadata } from './metadata.ts'
import {
  changedEmail,
  changedPhone,
  changeNames,
  type NameChange,
  type NamesChanged,
} from './name-change.ts'
import { issueLink, mailOf, tokenHashes } from '../sign-in/one-time.ts'
import {
  deleteOneTimeTokens,
  findOneTimeToken,
  takeOneTimeToken,
} from '../sign-in/one-time-tokens-store.ts'
import { checkPassword } from '../sign-in/passwords.ts'
import type { Challenge } from '../sign-in/challenge.ts'
import { deleteSessions } from '../sessions/sessions-store.ts'
import { createSms, senderOf, testOtpOf } from '../sms/sms.ts'
import { issueCode } from '../sms/sms-codes.ts'
import { inTransaction, type Db } from '../store.ts'
import type { Caller } from '../tenant.ts'
import { loadUserJson, type UserJson } from './user-json.ts'
import type { UserRow } from './user-row.ts'
import { updateUser, userById, type UserChanges } from './users-store.ts'

export type UserUpdate = {
  email: string | undefined
  phone: string | undefined
  /** How the code for a new number travels, as the client names it. */
  channel: string | undefined
  password: string | undefined
  currentPassword: string | undefined
  nonce: string | undefined
  data: Metadata | undefined
  challenge: Challenge | undefined
  redirectTo: string
}

const factorNeeded = 'AAL2 session is required to update email or password when MFA is enabled.'

/** A session younger than this counts as recent proof of who the user is. */
const recentMs = 24 * 60 * 60 * 1000

/** What a signed-in user may do to their own account. */
export function createUsers(deps: AuthDeps) {
  const { now, limits, passwords, leaked, fetch } = deps
  const { send } = createSms(deps)

  async function update(caller: Caller, who: SignedIn, input: UserUpdate): Promise<UserJson> {
    const { tenant } = caller
    const email = changedEmail(who.user, input.email)
    const phone = changedPhone(tenant, who.user, input)
    if (email !== undefined || phone !== undefined || input.password !== undefined) {
      if (who.user.is_sso_user) throw new AuthError('user_sso_managed')
      needSecondFactor(who, factorNeeded, 401)
    }
    if (input.password !== undefined) await refuseOldSession(caller, who, input.nonce)
    const hash = await newHash(caller, who, input, { named: (email ?? phone) !== undefined })
    const byMail = email !== undefined && !tenant.config.emailChangeAutoconfirm
    if (byMail) await limits.mail(caller, 'email_change', email)
    if (phone && !tenant.config.smsAutoconfirm) {
      const isTest = testOtpOf(tenant.config, phone.phone, now()) !== undefined
      await limits.sms(caller, phone.phone, { isTest })
    }
    const { json, mails, sms } = await inTransaction(tenant.pool, async (tx) => {
      const user = await userById(tx, who.user.id, { lock: true })
      if (!user) throw new AuthError('session_not_found')
      await savePassword(tx, caller, { ...who, user }, hash, input)
      const { redirectTo, challenge, data } = input
      const change = { email, phone, redirectTo, challenge }
      const { user: changed, ...messages } = await saveRest(tx, caller, user, data, change)
      return { json: await loadUserJson(tx, changed), ...messages }
    })
    await sendMails(caller, mails)
    if (sms) await send(caller, sms)
    return json
  }

  /** The hash of a new password after every rule that needs no transaction; undefined when none is given. */
  async function newHash(
    caller: Caller,
    { user }: SignedIn,
    { password, currentPassword }: UserUpdate,
    /** Whether the same request gives the user an address or a number. */
    { named }: { named: boolean },
  ): Promise<string | undefined> {
    const { tenant } = caller
    if (password === undefined) return undefined
    if (user.is_anonymous && !named) {
      throw new AuthError(
        'validation_failed',
        'An anonymous user needs an email address or a phone number before a password',
        { status: 422 },
      )
    }
    checkPassword(tenant.config, password)
    await leaked.refuse(tenant, password)
    if (user.encrypted_password && tenant.config.requireCurrentPassword) {
      if (!currentPassword) throw new AuthError('current_password_required')
      const account = user.email || user.phone || user.id
      const refund = await limits.attempt(caller, 'passwordFailures', account)
      const fits = await passwords.fits(currentPassword, user.encrypted_password)
      if (!fits) throw new AuthError('invalid_credentials')
      await refund()
    }
    if (user.encrypted_password && (await passwords.fits(password, user.encrypted_password))) {
      throw new AuthError('same_password')
    }
    return passwords.hash(password)
  }

  /** Every other session and every open link of the user ends with the old password. */
  async function savePassword(
    tx: Db,
    { tenant, ip }: Caller,
    { user, session }: SignedIn,
    hash: string | undefined,
    { nonce }: UserUpdate,
  ): Promise<void> {
    if (hash === undefined) return
    const at = now()
    if (needsNonce(tenant, session)) {
      await findNonce(tx, tenant, user, nonce ?? '', takeOneTimeToken)
    }
    await updateUser(tx, user.id, { encrypted_password: hash }, at)
    await deleteOneTimeTokens(tx, user.id)
    await deleteSessions(tx, user.id, { except: session.id })
    await audit(tx, { action: 'user_updated_password', actor: user, ip }, at)
  }

  function needsNonce({ config }: Caller['tenant'], { created_at }: SignedIn['session']): boolean {
    return config.securePasswordChange && now().getTime() - created_at.getTime() >= recentMs
  }

  /**
   * Before anything that would tell whether a password is the present one: who found an open session must not learn it.
   * Wrong nonces are counted, right ones are used up later, with the change.
   */
  async function refuseOldSession(
    caller: Caller,
    { user, session }: SignedIn,
    nonce: string | undefined,
  ): Promise<void> {
    const { tenant } = caller
    if (!needsNonce(tenant, session)) return
    if (!nonce) throw new AuthError('reauthentication_needed')
    const refund = await limits.attempt(caller, 'otpFailures', `nonce of ${user.id}`)
    await findNonce(tenant.pool, tenant, user, nonce, findOneTimeToken)
    await refund()
  }

  async function findNonce(
    db: Db,
    tenant: Caller['tenant'],
    user: UserRow,
    nonce: string,
    find: typeof findOneTimeToken,
  ): Promise<void> {
    const hashes = tokenHashes(tenant, { address: user.email || user.phone || '', otp: nonce })
    const token = await find(db, hashes, ['reauthentication_token'])
    const age = token ? now().getTime() - token.created_at.getTime() : Infinity
    if (token?.user_id !== user.id || age > tenant.config.otpExpirySeconds * 1000) {
      throw new AuthError('reauthentication_not_valid')
    }
  }

  async function saveRest(
    tx: Db,
    { tenant, ip }: Caller,
    user: UserRow,
    data: Metadata | undefined,
    change: NameChange,
  ): Promise<NamesChanged> {
    const at = now()
    const { email, phone } = change
    const merged: UserChanges = data
      ? { raw_user_meta_data: mergeMetadata(user.raw_user_meta_data, data) }
      : {}
    const saved = (await updateUser(tx, user.id, merged, at)) ?? user
    const names = { user_metadata: data, email, phone }
    const traits = { changed: Object.entries(names).flatMap(([name, to]) => (to ? [name] : [])) }
    if (traits.changed.length > 0) {
      await audit(tx, { action: 'user_modified', actor: user, ip, traits }, at)
    }
    return changeNames(tx, tenant, saved, change, { at, fetch })
  }

  /** Forgets a change of address that waits for its confirmation; without one nothing happens. */
  async function cancelChange({ tenant, ip }: Caller, who: SignedIn): Promise<UserJson> {
    needSecondFactor(who, factorNeeded, 401)
    return inTransaction(tenant.pool, async (tx) => {
      const at = now()
      const user = await userById(tx, who.user.id, { lock: true })
      if (!user) throw new AuthError('session_not_found')
      if (!user.email_change) return loadUserJson(tx, user)
      const cancelled = await cancelEmailChange(tx, user, at)
      const traits = { cancelled: 'email_change' }
      await audit(tx, { action: 'user_modified', actor: user, ip, traits }, at)
      return loadUserJson(tx, cancelled)
    })
  }

  /** Sends a code that proves again who the user is, for a password change. */
  async function reauthenticate(caller: Caller, { user }: SignedIn): Promise<void> {
    const { tenant, ip } = caller
    const { email, phone } = user
    if (!email && phone) return reauthenticateBySms(caller, user, phone)
    if (!email)
      throw invalid('Reauthentication requires the user to have an email or a phone number')
    if (!user.email_confirmed_at)
      throw new AuthError('email_not_confirmed', 'Please verify your email first.', { status: 422 })
    await limits.mail(caller, 'reauthentication', email)
    const mail = await inTransaction(tenant.pool, async (tx) => {
      const at = now()
      const request = {
        type: 'recovery',
        tokenType: 'reauthentication_token',
        address: email,
      } as const
      const redirectTo = tenant.config.siteUrl
      const issued = await issueLink(tx, tenant, user, { ...request, redirectTo }, at)
      await audit(tx, { action: 'user_reauthenticate_requested', actor: user, ip }, at)
      return mailOf(tenant, 'reauthentication', issued.user, issued.link)
    })
    await sendMails(caller, [mail])
  }

  async function reauthenticateBySms(caller: Caller, user: UserRow, phone: string): Promise<void> {
    const { tenant, ip } = caller
    const { config } = tenant
    if (!config.phoneEnabled) throw new AuthError('phone_provider_disabled')
    if (!user.phone_confirmed_at) {
      throw new AuthError('phone_not_confirmed', 'Please verify your phone first.', { status: 422 })
    }
    // Such a service has its own code for the number, which would sign in as well.
    if (senderOf(tenant, fetch)?.check) throw invalid('The SMS provider cannot reauthenticate')
    await limits.sms(caller, phone, { isTest: testOtpOf(config, phone, now()) !== undefined })
    const { sms } = await inTransaction(tenant.pool, async (tx) => {
      const at = now()
      await audit(tx, { action: 'user_reauthenticate_requested', actor: user, ip }, at)
      const request = { tokenType: 'reauthentication_token', phone, channel: 'sms' } as const
      return issueCode(tx, tenant, user, request, { at, fetch })
    })
    await send(caller, sms)
  }

  return { update, cancelChange, reauthenticate }
}
