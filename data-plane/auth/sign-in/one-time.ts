import { hashesOfOtp, linkToken, newOtp, storedHash } from './codes.ts'
import type { Mail } from '../mail/mailer.ts'
import { renderMail, type MailKind } from '../mail/mail-templates.ts'
import { metadataOf } from '../users/metadata.ts'
import { saveOneTimeToken, type OneTimeTokenType } from './one-time-tokens-store.ts'
import { startFlow } from './pkce.ts'
import type { Challenge } from './challenge.ts'
import type { Db } from '../store.ts'
import type { AuthTenant } from '../tenant.ts'
import type { UserRow } from '../users/user-row.ts'
import { updateUser } from '../users/users-store.ts'

/** The `type` in a link, as clients know it. */
export type LinkType = 'signup' | 'invite' | 'magiclink' | 'recovery' | 'email_change'

/** A fresh one-time code and its link, in clear: it exists only here, in the mail, and as a hash in the database. */
export type OneTimeLink = {
  address: string
  otp: string
  token: string
  type: LinkType
  url: string
  redirectTo: string
}

export type LinkRequest = {
  type: LinkType
  tokenType: OneTimeTokenType
  /** Where the mail goes; code and address belong together. */
  address: string
  redirectTo: string
  challenge?: Challenge | undefined
}

/** Where a user's row notes when a token of each type was sent. */
export const sentColumn = {
  confirmation_token: 'confirmation_sent_at',
  recovery_token: 'recovery_sent_at',
  email_change_token_new: 'email_change_sent_at',
  email_change_token_current: 'email_change_sent_at',
  reauthentication_token: 'reauthentication_sent_at',
  phone_change_token: 'phone_change_sent_at',
} as const satisfies Record<OneTimeTokenType, keyof UserRow>

/** Makes a one-time link for a user and notes when; an older one of the same kind stops working. */
export async function issueLink(
  tx: Db,
  tenant: AuthTenant,
  user: UserRow,
  request: LinkRequest,
  at: Date,
): Promise<{ link: OneTimeLink; user: UserRow }> {
  const { address, type, tokenType, redirectTo, challenge } = request
  const otp = newOtp(tenant.config.otpLength)
  const token = linkToken(tenant.jwt, address, otp, challenge !== undefined)
  const row = { userId: user.id, type: tokenType, hash: storedHash(token), relatesTo: address }
  await saveOneTimeToken(tx, row, at)
  await startFlow(tx, user.id, tokenType, challenge, at)
  const noted = await updateUser(tx, user.id, { [sentColumn[tokenType]]: at }, at)
  const query = new URLSearchParams({ token, type, redirect_to: redirectTo })
  const url = `${tenant.externalUrl}/verify?${query.toString()}`
  return { link: { address, otp, token, type, url, redirectTo }, user: noted ?? user }
}

/** The stored forms that the token of a link, or a typed code, may have. */
export function tokenHashes(
  tenant: AuthTenant,
  given: { tokenHash: string } | { address: string; otp: string },
): string[] {
  if ('tokenHash' in given) return [storedHash(given.tokenHash)]
  return hashesOfOtp(tenant.jwt, given.address, given.otp)
}

/** A mail with what it was made of, for who sends mails of their own instead. */
export type UserMail = Mail & { user: UserRow; link: OneTimeLink }

/** The mail that carries a link. */
export function mailOf(
  tenant: AuthTenant,
  kind: MailKind,
  user: UserRow,
  link: OneTimeLink,
): UserMail {
  const content = renderMail(kind, tenant.config.mailTemplates, {
    ConfirmationURL: link.url,
    Token: link.otp,
    TokenHash: link.token,
    SiteURL: tenant.config.siteUrl,
    RedirectTo: link.redirectTo,
    Email: user.email ?? '',
    NewEmail: user.email_change ?? '',
    Data: metadataOf(user.raw_user_meta_data),
  })
  return { kind, to: link.address, ...content, user, link }
}
