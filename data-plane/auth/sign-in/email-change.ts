import { AuthError } from '../errors.ts'
import { saveEmailIdentity } from '../users/identities-store.ts'
import { withProvider } from '../users/metadata.ts'
import { issueLink, mailOf, type UserMail } from './one-time.ts'
import { deleteOneTimeTokens, hasOneTimeToken } from './one-time-tokens-store.ts'
import type { Challenge } from './challenge.ts'
import { brokenUnique, type Db } from '../store.ts'
import type { AuthTenant } from '../tenant.ts'
import type { UserRow } from '../users/user-row.ts'
import { updateUser, userByEmail } from '../users/users-store.ts'

const changeTokens = ['email_change_token_new', 'email_change_token_current'] as const

export type EmailChange = { email: string; redirectTo: string; challenge: Challenge | undefined }

/** Throws 422 when another account has the address. */
export async function refuseTakenEmail(tx: Db, user: UserRow, email: string): Promise<void> {
  const other = await userByEmail(tx, email)
  if (other && other.id !== user.id) throw new AuthError('email_exists')
}

/**
 * Starts a change of address: the new one is noted, and the links that confirm it are returned as mails to send after
 * the commit. With secure change on the current address must agree too.
 */
export async function startEmailChange(
  tx: Db,
  tenant: AuthTenant,
  user: UserRow,
  { email, redirectTo, challenge }: EmailChange,
  at: Date,
): Promise<{ user: UserRow; mails: UserMail[] }> {
  await refuseTakenEmail(tx, user, email)
  await deleteOneTimeTokens(tx, user.id, changeTokens)
  const changes = { email_change: email, email_change_confirm_status: 0 }
  let changed = (await updateUser(tx, user.id, changes, at)) ?? user
  const addresses = [
    { tokenType: changeTokens[0], address: email },
    ...(tenant.config.secureEmailChange && user.email
      ? [{ tokenType: changeTokens[1], address: user.email }]
      : []),
  ]
  const mails: UserMail[] = []
  for (const target of addresses) {
    const request = { ...target, type: 'email_change', redirectTo, challenge } as const
    const issued = await issueLink(tx, tenant, changed, request, at)
    changed = issued.user
    mails.push(mailOf(tenant, 'email_change', changed, issued.link))
  }
  return { user: changed, mails }
}

/** One side agreed. Undefined while the other side still has to, else the user with the new address. */
export async function confirmEmailChange(
  tx: Db,
  tenant: AuthTenant,
  user: UserRow,
  at: Date,
): Promise<UserRow | undefined> {
  if (!user.email_change) throw new AuthError('otp_expired')
  if (await hasOneTimeToken(tx, user.id, changeTokens)) {
    await updateUser(tx, user.id, { email_change_confirm_status: 1 }, at)
    return undefined
  }
  return applyEmail(tx, tenant, user, user.email_change, at)
}

/**
 * Gives a user a confirmed address at once; 422 `email_exists` when somebody else took it meanwhile. Links that were
 * mailed to the old address stop working: who reads that mailbox may be somebody else by now.
 */
export async function applyEmail(
  tx: Db,
  tenant: AuthTenant,
  user: UserRow,
  email: string,
  at: Date,
  /** Not when addresses count as confirmed without a mail. */
  { proven = true } = {},
): Promise<UserRow> {
  const changes = {
    email,
    email_change: '',
    email_change_confirm_status: 0,
    email_confirmed_at: at,
    is_anonymous: false,
    raw_app_meta_data: withProvider(user.raw_app_meta_data, 'email'),
  }
  const changed = await updateUser(tx, user.id, changes, at).catch(refuseDuplicate)
  if (!changed) throw new AuthError('user_not_found')
  await deleteOneTimeTokens(tx, user.id)
  await saveEmailIdentity(tx, user.id, { address: email, verified: proven }, at)
  await tenant.onEmailChanged?.(tx, user.id, email)
  return changed
}

/** Takes a change back that nobody has confirmed yet; the links of its mails stop working. */
export async function cancelEmailChange(tx: Db, user: UserRow, at: Date): Promise<UserRow> {
  await deleteOneTimeTokens(tx, user.id, changeTokens)
  const changes = { email_change: '', email_change_confirm_status: 0, email_change_sent_at: null }
  return (await updateUser(tx, user.id, changes, at)) ?? user
}

/** Turns a broken uniqueness of addresses or phone numbers into its refusal; the transaction is lost either way. */
export function refuseDuplicate(error: unknown): never {
  const constraint = brokenUnique(error)
  if (constraint?.includes('phone')) throw new AuthError('phone_exists')
  if (constraint?.includes('email')) throw new AuthError('email_exists')
  throw error
}
