import { refuseDuplicate } from '../sign-in/email-change.ts'
import { AuthError } from '../errors.ts'
import { savePhoneIdentity } from '../users/identities-store.ts'
import { withProvider } from '../users/metadata.ts'
import { deleteOneTimeTokens } from '../sign-in/one-time-tokens-store.ts'
import { issueCode } from './sms-codes.ts'
import type { UserSms } from './sms.ts'
import type { SmsChannel } from './sms-providers.ts'
import type { AuthDeps } from '../deps.ts'
import type { Db } from '../store.ts'
import type { AuthTenant } from '../tenant.ts'
import type { UserRow } from '../users/user-row.ts'
import { isPhoneTaken, updateUser } from '../users/users-store.ts'

export type PhoneChange = { phone: string; channel: SmsChannel }

/**
 * Starts a change of number: the new one is noted and gets a code; the message is to be sent after the commit. Where
 * numbers need no confirmation the new one counts at once. 422 `phone_exists` when another account has it.
 */
export async function startPhoneChange(
  tx: Db,
  tenant: AuthTenant,
  user: UserRow,
  { phone, channel }: PhoneChange,
  context: { at: Date; fetch: AuthDeps['fetch'] },
): Promise<{ user: UserRow; sms: UserSms | undefined }> {
  if (await isPhoneTaken(tx, phone, user.id)) throw new AuthError('phone_exists')
  const { at } = context
  if (tenant.config.smsAutoconfirm) {
    return { user: await applyPhone(tx, user, phone, at, { proven: false }), sms: undefined }
  }
  const noted = (await updateUser(tx, user.id, { phone_change: phone }, at)) ?? user
  const request = { tokenType: 'phone_change_token', phone, channel } as const
  return issueCode(tx, tenant, noted, request, context)
}

/**
 * Gives a user a confirmed number; 422 `phone_exists` when somebody else took it meanwhile. Codes and links that were
 * sent before stop working: who has the old number may be somebody else by now.
 */
export async function applyPhone(
  tx: Db,
  user: UserRow,
  phone: string,
  at: Date,
  /** Not when numbers count as confirmed without a message. */
  { proven }: { proven: boolean },
): Promise<UserRow> {
  const changes = {
    phone,
    phone_change: '',
    phone_confirmed_at: at,
    is_anonymous: false,
    raw_app_meta_data: withProvider(user.raw_app_meta_data, 'phone'),
  }
  const changed = await updateUser(tx, user.id, changes, at).catch(refuseDuplicate)
  if (!changed) throw new AuthError('user_not_found')
  await deleteOneTimeTokens(tx, user.id)
  await savePhoneIdentity(tx, user.id, { number: phone, verified: proven }, at)
  return changed
}
