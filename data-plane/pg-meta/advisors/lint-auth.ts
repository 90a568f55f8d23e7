import type { LintName } from '#contract/observability/lints'
import type { Found } from './lint-parts.ts'

/** What the advisor asks of the settings of a project's auth service. */
export type AuthFacts = {
  emailEnabled: boolean
  otpLength: number
  otpExpirySeconds: number
  mfaTotpEnabled: boolean
  /** Undefined where the service has no such check. */
  leakedPasswordsRefused: boolean | undefined
}

type AuthFound = Omit<Found, 'evidence'> & { name: LintName }
type Judged = { found: AuthFound[]; skipped: { name: LintName; reason: string }[] }

const longestExpiry = 3600
const shortestCode = 6

const names = [
  'auth_otp_long_expiry',
  'auth_otp_short_length',
  'auth_insufficient_mfa_options',
  'auth_leaked_password_protection',
] as const

const found = (name: LintName, detail: string): AuthFound => ({
  name,
  key: [],
  detail,
  metadata: { type: 'auth', entity: 'Auth' },
})

/** The rules about the auth service: by its settings, or left out with the reason where they are not known. */
export function authLints(facts: AuthFacts | undefined): Judged {
  if (!facts) {
    const reason = 'This project has no auth service of the platform'
    return { found: [], skipped: names.map((name) => ({ name, reason })) }
  }
  const { emailEnabled, otpExpirySeconds, otpLength, mfaTotpEnabled, leakedPasswordsRefused } =
    facts
  const judged: Judged = { found: [], skipped: [] }
  if (emailEnabled && otpExpirySeconds > longestExpiry)
    judged.found.push(
      found(
        'auth_otp_long_expiry',
        `One-time codes by mail are good for ${Math.round(otpExpirySeconds / 60)} minutes.`,
      ),
    )
  if (otpLength < shortestCode)
    judged.found.push(found('auth_otp_short_length', `One-time codes have ${otpLength} digits.`))
  if (!mfaTotpEnabled)
    judged.found.push(
      found('auth_insufficient_mfa_options', 'Users cannot add an authenticator app.'),
    )
  if (leakedPasswordsRefused === undefined)
    judged.skipped.push({
      name: 'auth_leaked_password_protection',
      reason: 'The auth service of this version has no check of leaked passwords to turn on',
    })
  else if (!leakedPasswordsRefused)
    judged.found.push(
      found('auth_leaked_password_protection', 'Leaked passwords are accepted at sign-up.'),
    )
  return judged
}
