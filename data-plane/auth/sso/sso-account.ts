import { normalizeEmail } from '../mail/emails.ts'
import { AuthError } from '../errors.ts'
import { accountFor } from '../external/external-account.ts'
import type { ExternalProfile } from '../external/external-providers.ts'
import type { SsoProviderRow } from './sso-store.ts'
import type { Db } from '../store.ts'
import type { AuthTenant, Caller } from '../tenant.ts'
import type { UserRow } from '../users/user-row.ts'
import { updateUser } from '../users/users-store.ts'

/**
 * The account of somebody who comes from an organization's identity provider. It is apart from every other account,
 * also from those with the same address. The provider vouches for addresses of its own domains and for no others.
 */
export async function ssoAccountFor(
  tx: Db,
  caller: Caller,
  provider: SsoProviderRow,
  profile: ExternalProfile,
  at: Date,
): Promise<UserRow> {
  const { tenant } = caller
  if (!profile.email) throw new AuthError('saml_assertion_no_email')
  if (!profile.email.verified) throw new AuthError('provider_email_needs_verification')
  const email = normalizeEmail(profile.email.address)
  const domain = email.split('@')[1] ?? ''
  const vouched = provider.domains.map((row) => row.domain)
  const restricted = vouched.length > 0 || tenant.config.ssoNeedsDomain
  if (restricted && !vouched.includes(domain)) throw new AuthError('email_address_not_authorized')
  const user = await accountFor(tx, caller, profile, at)
  return user.email === email ? user : moved(tx, caller, user, email, at)
}

/** These accounts have the address that their organization gives them. */
async function moved(
  tx: Db,
  { tenant }: Caller,
  user: UserRow,
  email: string,
  at: Date,
): Promise<UserRow> {
  const changed = await updateUser(tx, user.id, { email }, at)
  await tenant.onEmailChanged?.(tx, user.id, email)
  return changed ?? user
}

/** Lets the tenant know who came, once that is certain. */
export async function announceSso(
  { onSsoSignIn }: AuthTenant,
  providerId: string,
  { id, email }: UserRow,
): Promise<void> {
  await onSsoSignIn?.({ userId: id, providerId, email: email ?? '' })
}
