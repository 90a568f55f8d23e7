import type { SignedIn } from './access.ts'
import { audit } from './audit-store.ts'
import type { AuthDeps } from './deps.ts'
import { applyEmail, refuseTakenEmail, startEmailChange } from './email-change.ts'
import { normalizeEmail } from './emails.ts'
import { AuthError, invalid } from './errors.ts'
import type { Mail } from './mailer.ts'
import { mergeMetadata, type Metadata } from './metadata.ts'
import { issueLink, mailOf, tokenHashes } from './one-time.ts'
import { deleteOneTimeTokens, takeOneTimeToken } from './one-time-tokens-store.ts'
import { checkPassword } from './passwords.ts'
import type { Challenge } from './pkce.ts'
import { deleteSessions } from './sessions-store.ts'
import { inTransaction, type Db } from './store.ts'
import type { Caller } from './tenant.ts'
import { loadUserJson, type UserJson } from './user-json.ts'
import type { UserRow } from './user-row.ts'
import { updateUser, userById, type UserChanges } from './users-store.ts'

export type UserUpdate = {
  email: string | undefined
  password: string | undefined
  currentPassword: string | undefined
  nonce: string | undefined
  data: Metadata | undefined
  challenge: Challenge | undefined
  redirectTo: string
}

/** A session younger than this counts as recent proof of who the user is. */
const recentMs = 24 * 60 * 60 * 1000

/** What a signed-in user may do to their own account. */
export function createUsers(deps: AuthDeps) {
  const { now, limits, passwords } = deps

  async function update(caller: Caller, who: SignedIn, input: UserUpdate): Promise<UserJson> {
    const { tenant } = caller
    const email = changedEmail(who.user, input.email)
    if (who.user.is_sso_user && (email !== undefined || input.password !== undefined)) {
      throw new AuthError('user_sso_managed')
    }
    const hash = await newHash(caller, who, input, email)
    const byMail = email !== undefined && !tenant.config.mailerAutoconfirm
    if (byMail) await limits.mail(caller, 'email_change', email)
    const { json, mails } = await inTransaction(tenant.pool, async (tx) => {
      const user = await userById(tx, who.user.id, { lock: true })
      if (!user) throw new AuthError('session_not_found')
      await savePassword(tx, caller, { ...who, user }, hash, input)
      const change = { email, redirectTo: input.redirectTo, challenge: input.challenge }
      const changed = await saveRest(tx, caller, user, input.data, change)
      return { json: await loadUserJson(tx, changed.user), mails: changed.mails }
    })
    for (const mail of mails) await tenant.mailer.send(mail)
    return json
  }

  /** The hash of a new password after every rule that needs no transaction; undefined when none is given. */
  async function newHash(
    { tenant }: Caller,
    { user }: SignedIn,
    { password, currentPassword }: UserUpdate,
    email: string | undefined,
  ): Promise<string | undefined> {
    if (password === undefined) return undefined
    if (user.is_anonymous && email === undefined) {
      throw new AuthError(
        'validation_failed',
        'An anonymous user needs an email address before a password',
        { status: 422 },
      )
    }
    checkPassword(tenant.config, password)
    if (user.encrypted_password && tenant.config.requireCurrentPassword) {
      if (!currentPassword) throw new AuthError('current_password_required')
      const fits = await passwords.fits(currentPassword, user.encrypted_password)
      if (!fits) throw new AuthError('invalid_credentials')
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
    const recent = at.getTime() - session.created_at.getTime() < recentMs
    if (tenant.config.securePasswordChange && !recent) {
      if (!nonce) throw new AuthError('reauthentication_needed')
      await useNonce(tx, tenant, user, nonce, at)
    }
    await updateUser(tx, user.id, { encrypted_password: hash }, at)
    await deleteOneTimeTokens(tx, user.id)
    await deleteSessions(tx, user.id, { except: session.id })
    await audit(tx, { action: 'user_updated_password', actor: user, ip }, at)
  }

  async function useNonce(
    tx: Db,
    tenant: Caller['tenant'],
    user: UserRow,
    nonce: string,
    at: Date,
  ): Promise<void> {
    const hashes = tokenHashes(tenant, { address: user.email ?? '', otp: nonce })
    const token = await takeOneTimeToken(tx, hashes, ['reauthentication_token'])
    const age = token ? at.getTime() - token.created_at.getTime() : Infinity
    if (token?.user_id !== user.id || age > tenant.config.otpExpirySeconds * 1000) {
      throw new AuthError('reauthentication_not_valid')
    }
  }

  async function saveRest(
    tx: Db,
    { tenant, ip }: Caller,
    user: UserRow,
    data: Metadata | undefined,
    change: { email: string | undefined; redirectTo: string; challenge: Challenge | undefined },
  ): Promise<{ user: UserRow; mails: Mail[] }> {
    const at = now()
    const { email } = change
    const merged: UserChanges = data
      ? { raw_user_meta_data: mergeMetadata(user.raw_user_meta_data, data) }
      : {}
    const saved = (await updateUser(tx, user.id, merged, at)) ?? user
    const traits = { changed: [...(data ? ['user_metadata'] : []), ...(email ? ['email'] : [])] }
    if (traits.changed.length > 0) {
      await audit(tx, { action: 'user_modified', actor: user, ip, traits }, at)
    }
    if (email === undefined) return { user: saved, mails: [] }
    if (!tenant.config.mailerAutoconfirm) {
      return startEmailChange(tx, tenant, saved, { ...change, email }, at)
    }
    await refuseTakenEmail(tx, saved, email)
    return { user: await applyEmail(tx, saved, email, at), mails: [] }
  }

  /** Mails a code that proves again who the user is, for a password change. */
  async function reauthenticate(caller: Caller, { user }: SignedIn): Promise<void> {
    const { tenant, ip } = caller
    const { email } = user
    if (!email) throw invalid('Reauthentication requires the user to have an email address')
    if (!user.email_confirmed_at)
      throw new AuthError('email_not_confirmed', undefined, { status: 422 })
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
    await tenant.mailer.send(mail)
  }

  return { update, reauthenticate }
}

function changedEmail(user: UserRow, asked: string | undefined): string | undefined {
  if (asked === undefined || asked === '') return undefined
  const email = normalizeEmail(asked)
  return email === user.email?.toLowerCase() ? undefined : email
}
