import type { AuthDeps } from '../deps.ts'
import { applyEmail, refuseTakenEmail, startEmailChange } from '../sign-in/email-change.ts'
import { normalizeEmail, normalizePhone } from '../mail/emails.ts'
import { AuthError } from '../errors.ts'
import type { UserMail } from '../sign-in/one-time.ts'
import { startPhoneChange, type PhoneChange } from '../sms/phone-change.ts'
import type { Challenge } from '../sign-in/challenge.ts'
import { channelOf, type UserSms } from '../sms/sms.ts'
import type { Db } from '../store.ts'
import type { AuthTenant } from '../tenant.ts'
import type { UserRow } from './user-row.ts'

/** What a user asks to be called by from now on; undefined stays as it is. */
export type NameChange = {
  email: string | undefined
  phone: PhoneChange | undefined
  redirectTo: string
  challenge: Challenge | undefined
}

/** The user as changed, and what is to be sent after the commit. */
export type NamesChanged = { user: UserRow; mails: UserMail[]; sms: UserSms | undefined }

type Context = { at: Date; fetch: AuthDeps['fetch'] }

/** Starts the changes of a user's address and number that are asked for, or makes them where nobody has to confirm. */
export async function changeNames(
  tx: Db,
  tenant: AuthTenant,
  user: UserRow,
  change: NameChange,
  context: Context,
): Promise<NamesChanged> {
  // What counts at once takes every open code away, so it comes before what sends one.
  if (tenant.config.smsAutoconfirm) {
    const first = await startPhone(tx, tenant, user, change.phone, context)
    return { ...first, ...(await startEmail(tx, tenant, first.user, change, context)) }
  }
  const first = await startEmail(tx, tenant, user, change, context)
  return { ...first, ...(await startPhone(tx, tenant, first.user, change.phone, context)) }
}

async function startPhone(
  tx: Db,
  tenant: AuthTenant,
  user: UserRow,
  change: PhoneChange | undefined,
  context: Context,
): Promise<Omit<NamesChanged, 'mails'>> {
  if (change === undefined) return { user, sms: undefined }
  return startPhoneChange(tx, tenant, user, change, context)
}

async function startEmail(
  tx: Db,
  tenant: AuthTenant,
  user: UserRow,
  change: NameChange,
  { at }: Context,
): Promise<Omit<NamesChanged, 'sms'>> {
  const { email } = change
  if (email === undefined) return { user, mails: [] }
  if (!tenant.config.emailChangeAutoconfirm) {
    return startEmailChange(tx, tenant, user, { ...change, email }, at)
  }
  await refuseTakenEmail(tx, user, email)
  return { user: await applyEmail(tx, tenant, user, email, at, { proven: false }), mails: [] }
}

/** The address that is asked for, when it is another one. */
export function changedEmail(user: UserRow, asked: string | undefined): string | undefined {
  if (asked === undefined || asked === '') return undefined
  const email = normalizeEmail(asked)
  return email === user.email?.toLowerCase() ? undefined : email
}

/** The number that is asked for, when it is another one, and how its code travels. */
export function changedPhone(
  { config }: AuthTenant,
  user: UserRow,
  { phone: asked, channel }: { phone: string | undefined; channel: string | undefined },
): PhoneChange | undefined {
  if (!asked) return undefined
  if (!config.phoneEnabled) throw new AuthError('phone_provider_disabled')
  const phone = normalizePhone(asked)
  return phone === user.phone ? undefined : { phone, channel: channelOf(config, channel) }
}
