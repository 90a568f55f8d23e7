import { audit } from '../admin/audit-store.ts'
import type { AuthDeps } from '../deps.ts'
import { AuthError } from '../errors.ts'
import { sendMails } from '../hooks/mail-hook.ts'
import { issueLink, mailOf, type UserMail } from '../sign-in/one-time.ts'
import type { Challenge } from '../sign-in/challenge.ts'
import type { Db } from '../store.ts'
import type { Caller } from '../tenant.ts'
import type { UserRow } from '../users/user-row.ts'

/** A mail that somebody has to answer before the account of their address is theirs. */
export type Unconfirmed = { mail: UserMail; provider: string; mayGoOn: boolean }

type Asked = {
  provider: string
  /** Where the link of the mail leads. */
  redirectTo: string
  challenge: Challenge | undefined
}

/**
 * Who came from a provider that does not call their address verified: a mail to that address has to be answered first.
 * Undefined for everybody else. Write it in the transaction that made the account, and call `askForProof` after it.
 */
export async function proofNeeded(
  { limits }: Pick<AuthDeps, 'limits'>,
  tx: Db,
  caller: Caller,
  user: UserRow,
  { provider, redirectTo, challenge }: Asked,
  at: Date,
): Promise<Unconfirmed | undefined> {
  const { email, email_confirmed_at: confirmed, phone_confirmed_at: phone } = user
  if (!email || confirmed || phone || user.is_sso_user) return undefined
  const { tenant, ip } = caller
  await limits.mail(caller, 'confirmation', email)
  const request = { type: 'signup', tokenType: 'confirmation_token', address: email } as const
  const issued = await issueLink(tx, tenant, user, { ...request, redirectTo, challenge }, at)
  const traits = { provider }
  await audit(tx, { action: 'user_confirmation_requested', actor: user, ip, traits }, at)
  const mail = mailOf(tenant, 'confirmation', issued.user, issued.link)
  return { mail, provider, mayGoOn: tenant.config.allowUnverifiedEmail }
}

/** Sends the mail. @throws AuthError provider_email_needs_verification, unless the tenant lets people in before */
export async function askForProof(
  caller: Caller,
  { mail, provider, mayGoOn }: Unconfirmed,
): Promise<void> {
  await sendMails(caller, [mail])
  if (mayGoOn) return
  const message = `Unverified email with ${provider}. A confirmation email has been sent to your ${provider} email`
  throw new AuthError('provider_email_needs_verification', message)
}
