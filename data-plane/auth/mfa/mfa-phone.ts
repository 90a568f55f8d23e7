import { timingSafeEqual } from 'node:crypto'
import { linkToken, newAuthCode, newOtp, storedHash } from '../sign-in/codes.ts'
import type { AuthDeps } from '../deps.ts'
import { normalizePhone } from '../mail/emails.ts'
import { AuthError } from '../errors.ts'
import type { FactorRow } from './factors-store.ts'
import { channelOf, createSms, senderOf, testOtpOf, type UserSms } from '../sms/sms.ts'
import type { AuthTenant, Caller } from '../tenant.ts'
import type { UserRow } from '../users/user-row.ts'

/** A code for one challenge: as a message to send after the commit, and as what is kept of it. */
export type PhoneCode = { sms: UserSms; hash: string }

/** Second factors that are a telephone: each challenge sends a code to it. */
export function createMfaPhone(deps: AuthDeps) {
  const { now, limits, fetch, log } = deps
  const { send } = createSms(deps)

  /** The number of a new factor, as digits. */
  function numberToEnroll({ config }: AuthTenant, asked: string): string {
    const { mfaPhoneEnrollEnabled, mfaPhoneVerifyEnabled } = config
    if (!mfaPhoneEnrollEnabled || !mfaPhoneVerifyEnabled) {
      throw new AuthError('mfa_phone_enroll_not_enabled')
    }
    return normalizePhone(asked)
  }

  function refuseUnlessOn({ config }: AuthTenant): void {
    if (!config.mfaPhoneVerifyEnabled) throw new AuthError('mfa_phone_verify_not_enabled')
  }

  /** Makes the code of a challenge; 429 when the number got one just now. */
  async function codeFor(
    caller: Caller,
    user: UserRow,
    { phone }: FactorRow,
    challenge: { id: string; channel: string | undefined },
  ): Promise<PhoneCode> {
    const { tenant } = caller
    const { config } = tenant
    refuseUnlessOn(tenant)
    const channel = channelOf(config, challenge.channel)
    const to = phone ?? ''
    const fixed = testOtpOf(config, to, now())
    const intervalSeconds = config.mfaPhoneIntervalSeconds
    await limits.sms(caller, to, {
      isTest: fixed !== undefined,
      purpose: 'factor',
      intervalSeconds,
    })
    // Where the sender makes the codes, ours is one that nobody can type.
    const foreign = senderOf(tenant, fetch)?.check !== undefined
    const otp = fixed ?? (foreign ? newAuthCode() : newOtp(config.mfaPhoneOtpLength))
    const text = config.mfaPhoneTemplate.replaceAll(/\{\{\s*\.(?:Code|Token)\s*\}\}/g, () => otp)
    return { sms: { to, channel, text, otp, user }, hash: hashOf(tenant, challenge.id, otp) }
  }

  /**
   * Whether a code is right, where whoever sent it made it; undefined where we did. 503 when the service does not
   * answer.
   */
  async function rightElsewhere(
    { tenant }: Caller,
    { phone }: FactorRow,
    code: string,
  ): Promise<boolean | undefined> {
    const check = senderOf(tenant, fetch)?.check
    if (!check || !phone || testOtpOf(tenant.config, phone, now()) !== undefined) return undefined
    return check(phone, code).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      log.warn({ tenant: tenant.id, reason }, 'a code could not be checked')
      throw new AuthError('provider_unreachable')
    })
  }

  return {
    numberToEnroll,
    refuseUnlessOn,
    codeFor,
    rightElsewhere,
    send: (caller: Caller, { sms }: PhoneCode) => send(caller, sms, 'mfa'),
  }
}

/** What is kept of a code: it fits its challenge only, and cannot be found by trying without a key of the tenant. */
const hashOf = ({ jwt }: AuthTenant, challengeId: string, otp: string): string =>
  storedHash(linkToken(jwt, `challenge ${challengeId}`, otp, false))

/** Whether a code is the one that a challenge sent. */
export function fitsChallenge(
  tenant: AuthTenant,
  challenge: { id: string; otp_code: string | null },
  code: string,
): boolean {
  const expected = Buffer.from(challenge.otp_code ?? '')
  const given = Buffer.from(hashOf(tenant, challenge.id, code))
  return given.length === expected.length && timingSafeEqual(given, expected)
}
