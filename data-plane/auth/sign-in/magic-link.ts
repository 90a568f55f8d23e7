import { audit } from '../admin/audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { startEmailChange } from './email-change.ts'
import { normalizeEmail } from '../mail/emails.ts'
import { AuthError } from '../errors.ts'
import { saveEmailIdentity } from '../users/identities-store.ts'
import { sendMails } from '../hooks/mail-hook.ts'
import { mergeMetadata, type Metadata } from '../users/metadata.ts'
import { createUser } from '../users/new-user.ts'
import { issueLink, mailOf, type LinkRequest, type UserMail } from './one-time.ts'
import type { Challenge } from './challenge.ts'
import { newUserValues } from './signup.ts'
import { inTransaction, type Db } from '../store.ts'
import type { Caller } from '../tenant.ts'
import { atLeast } from './timing.ts'
import type { UserRow } from '../users/user-row.ts'
import { userByEmail } from '../users/users-store.ts'

export type MailRequest = {
  email: string
  challenge: Challenge | undefined
  redirectTo: string
}

/**
 * Everything that mails a link to somebody who is not signed in. Limits are counted and time is spent alike whether the
 * address has an account or not.
 */
export function createMagicLink({ log, now, limits }: AuthDeps) {
  async function mailing(
    caller: Caller,
    purpose: string,
    email: string,
    prepare: (tx: Db, at: Date) => Promise<UserMail[]>,
    /** Where only those who have an account get a mail, and nobody else may learn of it. */
    { quietly = true } = {},
  ): Promise<void> {
    await limits.perAddress(caller, 'otp')
    if (!caller.tenant.config.emailEnabled) throw new AuthError('email_provider_disabled')
    await limits.mail(caller, purpose, email)
    const work = async () => {
      const mails = await inTransaction(caller.tenant.pool, (tx) => prepare(tx, now()))
      await sendMails(caller, mails, { quietly })
    }
    await atLeast(() => (quietly ? work().catch((error) => hushed(caller, error)) : work()))
  }

  /**
   * A refusal that only some addresses can meet, such as a hook's or that of a full queue of mails, would tell which
   * they are. A failure of our own is still one.
   */
  function hushed({ tenant }: Caller, error: unknown): void {
    if (!(error instanceof AuthError)) throw error
    log.warn({ tenant: tenant.id, code: error.code }, 'a mail was not sent, and nobody was told')
  }

  async function recover(caller: Caller, request: MailRequest): Promise<void> {
    const email = normalizeEmail(request.email)
    await mailing(caller, 'recovery', email, async (tx, at) => {
      const user = await userByEmail(tx, email, { lock: true })
      return user ? signInLink(tx, caller, user, 'recovery', { ...request, email }, at) : []
    })
  }

  /**
   * A link and a code that sign in; makes the account when there is none and `createUser` says so. Who has none and may
   * not make one is told, because clients ask with `createUser` off to learn it; not so with `quietly`.
   */
  async function signInByMail(
    caller: Caller,
    request: MailRequest & { createUser: boolean; data: Metadata | undefined },
    { quietly = false } = {},
  ): Promise<void> {
    const email = normalizeEmail(request.email)
    const mayMake = request.createUser && !caller.tenant.config.disableSignup
    const prepare = async (tx: Db, at: Date) => {
      const known = await userByEmail(tx, email, { lock: true })
      if (!known && !mayMake) {
        if (quietly) return []
        throw new AuthError('otp_disabled')
      }
      const user = known ?? (await newUser(tx, caller, email, request.data, at))
      return signInLink(tx, caller, user, 'magiclink', { ...request, email }, at)
    }
    await mailing(caller, 'recovery', email, prepare, { quietly })
  }

  async function newUser(
    tx: Db,
    caller: Caller,
    email: string,
    data: Metadata | undefined,
    at: Date,
  ): Promise<UserRow> {
    const { ip } = caller
    const values = { ...newUserValues(email), raw_user_meta_data: mergeMetadata({}, data) }
    const user = await createUser(tx, caller, values, at)
    if (!user) return madeMeanwhile(tx, email)
    await saveEmailIdentity(tx, user.id, { address: email, verified: false }, at)
    await audit(tx, { action: 'user_signedup', actor: user, ip, traits: { provider: 'email' } }, at)
    return user
  }

  /** Somebody made the account at this very moment. */
  async function madeMeanwhile(tx: Db, email: string): Promise<UserRow> {
    const user = await userByEmail(tx, email, { lock: true })
    if (!user) throw new AuthError('conflict')
    return user
  }

  async function signInLink(
    tx: Db,
    caller: Caller,
    user: UserRow,
    type: 'recovery' | 'magiclink',
    { email, redirectTo, challenge }: MailRequest,
    at: Date,
  ): Promise<UserMail[]> {
    const address = user.email ?? email
    const request: LinkRequest = {
      type,
      tokenType: 'recovery_token',
      address,
      redirectTo,
      challenge,
    }
    const issued = await issueLink(tx, caller.tenant, user, request, at)
    const entry = { action: 'user_recovery_requested', actor: user, ip: caller.ip } as const
    await audit(tx, { ...entry, traits: { type } }, at)
    const kind = type === 'recovery' ? 'recovery' : 'magic_link'
    return [mailOf(caller.tenant, kind, issued.user, issued.link)]
  }

  /** Mails the confirmation of a sign-up or of an e-mail change again, to whoever still waits for it. */
  async function resend(
    caller: Caller,
    type: 'signup' | 'email_change',
    request: MailRequest,
  ): Promise<void> {
    const email = normalizeEmail(request.email)
    const purpose = type === 'signup' ? 'confirmation' : 'email_change'
    await mailing(caller, purpose, email, async (tx, at) => {
      const user = await userByEmail(tx, email, { lock: true })
      if (!user) return []
      return type === 'signup'
        ? confirmationAgain(tx, caller, user, request, at)
        : changeAgain(tx, caller, user, request, at)
    })
  }

  async function confirmationAgain(
    tx: Db,
    { tenant, ip }: Caller,
    user: UserRow,
    { redirectTo, challenge }: MailRequest,
    at: Date,
  ): Promise<UserMail[]> {
    if (user.email_confirmed_at || !user.email) return []
    const request = {
      type: 'signup',
      tokenType: 'confirmation_token',
      address: user.email,
    } as const
    const issued = await issueLink(tx, tenant, user, { ...request, redirectTo, challenge }, at)
    await audit(tx, { action: 'user_confirmation_requested', actor: user, ip }, at)
    return [mailOf(tenant, 'confirmation', issued.user, issued.link)]
  }

  async function changeAgain(
    tx: Db,
    { tenant, ip }: Caller,
    user: UserRow,
    { redirectTo, challenge }: MailRequest,
    at: Date,
  ): Promise<UserMail[]> {
    if (!user.email_change) return []
    const change = { email: user.email_change, redirectTo, challenge }
    const { mails } = await startEmailChange(tx, tenant, user, change, at)
    await audit(
      tx,
      { action: 'user_modified', actor: user, ip, traits: { resend: 'email_change' } },
      at,
    )
    return mails
  }

  return { recover, signInByMail, resend }
}
