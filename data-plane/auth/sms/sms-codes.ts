import { linkToken, newAuthCode, newOtp, storedHash } from '../sign-in/codes.ts'
import type { AuthDeps } from '../deps.ts'
import { sentColumn } from '../sign-in/one-time.ts'
import { saveOneTimeToken, type OneTimeTokenType } from '../sign-in/one-time-tokens-store.ts'
import type { SmsChannel } from './sms-providers.ts'
import { senderOf, testOtpOf, type UserSms } from './sms.ts'
import type { Db } from '../store.ts'
import type { AuthTenant } from '../tenant.ts'
import type { UserRow } from '../users/user-row.ts'
import { updateUser } from '../users/users-store.ts'

/** The one-time tokens that can be codes in a text message. */
export type PhoneTokenType = Extract<
  OneTimeTokenType,
  'confirmation_token' | 'recovery_token' | 'phone_change_token' | 'reauthentication_token'
>

export type CodeRequest = {
  tokenType: PhoneTokenType
  /** Where the message goes; code and number belong together. */
  phone: string
  channel: SmsChannel
}

/**
 * Makes a code for a user and notes when; an older one of the same kind stops working. The message is to be sent after
 * the commit. Where the sender makes the codes, ours is one that nobody can type: it only says that one was asked for.
 */
export async function issueCode(
  tx: Db,
  tenant: AuthTenant,
  user: UserRow,
  { tokenType, phone, channel }: CodeRequest,
  { at, fetch }: { at: Date; fetch: AuthDeps['fetch'] },
): Promise<{ user: UserRow; sms: UserSms }> {
  const { config, jwt } = tenant
  const fixed = testOtpOf(config, phone, at)
  const foreign = senderOf(tenant, fetch)?.check !== undefined
  const otp = fixed ?? (foreign ? newAuthCode() : newOtp(config.smsOtpLength))
  const hash = storedHash(linkToken(jwt, phone, otp, false))
  await saveOneTimeToken(tx, { userId: user.id, type: tokenType, hash, relatesTo: phone }, at)
  const noted = await updateUser(tx, user.id, { [sentColumn[tokenType]]: at }, at)
  const text = config.smsTemplate.replaceAll(/\{\{\s*\.(?:Code|Token)\s*\}\}/g, () => otp)
  const sms = { to: phone, channel, text, otp, user: noted ?? user }
  return { user: sms.user, sms }
}
