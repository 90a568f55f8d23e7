import type { MailKind } from '../mail/mail-templates.ts'
import type { UserMail } from '../sign-in/one-time.ts'
import type { AuthTenant, Caller } from '../tenant.ts'
import { loadUserJson } from '../users/user-json.ts'

/** What a mail is for, in the words of links. */
const actions: Record<MailKind, string> = {
  confirmation: 'signup',
  invite: 'invite',
  magic_link: 'magiclink',
  recovery: 'recovery',
  email_change: 'email_change',
  reauthentication: 'reauthentication',
}

/**
 * Sends the mails of one occasion, all to the same user: by the tenant's hook where it has one, else by its mailer. Call
 * it after the commit. What a hook refuses with is thrown, unless it must not be known whether there was a mail at all:
 * then nobody waits for the hook either, because that takes its time.
 */
export async function sendMails(
  caller: Caller,
  mails: readonly UserMail[],
  { quietly = false } = {},
): Promise<void> {
  const { tenant } = caller
  const last = mails.at(-1)
  if (!last) return
  if (!tenant.config.hooks.SEND_EMAIL) {
    for (const { user: _user, link: _link, ...mail } of mails) await tenant.mailer.send(mail)
    return
  }
  const user = await loadUserJson(tenant.pool, last.user)
  const payload = { user, email_data: emailData(tenant, last, mails) }
  const asked = caller.hooks(caller, 'SEND_EMAIL', payload)
  // A refusal is in the log; nobody is there any more who could be told.
  if (quietly) void asked.catch(() => undefined)
  else await asked
}

/**
 * The codes as hooks know them. A change of address that both addresses confirm has two, under names that are not what
 * they seem: `token` with `token_hash_new` is for the present address, `token_new` with `token_hash` for the new one.
 */
function emailData(tenant: AuthTenant, { kind, link }: UserMail, mails: readonly UserMail[]) {
  const current = mails.find(({ to, user }) => to === user.email)
  const fresh = mails.find((mail) => mail !== current)
  const codes =
    current && fresh
      ? {
          token: current.link.otp,
          token_hash: fresh.link.token,
          token_new: fresh.link.otp,
          token_hash_new: current.link.token,
        }
      : { token: link.otp, token_hash: link.token, token_new: '', token_hash_new: '' }
  const where = { redirect_to: link.redirectTo, site_url: tenant.externalUrl }
  return { ...codes, ...where, email_action_type: actions[kind] }
}
