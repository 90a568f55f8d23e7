import { passwordRequirements, type AuthKey } from '#contract/auth/auth-config-keys'

/** How a setting is written in a file: `inverted` is on where ours is off; durations are such as 1m30s. */
export type Kind = 'flag' | 'inverted' | 'whole' | 'text' | 'seconds' | 'hours' | 'requirements'
export type Known = { key: AuthKey; kind: Kind }

const known = (kind: Kind, names: Record<string, AuthKey>): [string, Known][] =>
  Object.entries(names).map(([name, key]) => [name, { key, kind }])

const mails = [
  'confirmation',
  'email_change',
  'invite',
  'magic_link',
  'reauthentication',
  'recovery',
]
const subjects = Object.fromEntries(
  // Of each mail there is a subject of this name (auth-config-messages.ts).
  mails.map((mail) => [
    `email.template.${mail}.subject`,
    `MAILER_SUBJECTS_${mail.toUpperCase()}` as AuthKey,
  ]),
)

/** Settings below [auth], by what the files of the public command line client call them. */
export const authNames: ReadonlyMap<string, Known> = new Map([
  ...known('inverted', {
    enable_signup: 'DISABLE_SIGNUP',
    'email.enable_confirmations': 'MAILER_AUTOCONFIRM',
    'sms.enable_confirmations': 'SMS_AUTOCONFIRM',
  }),
  ...known('flag', {
    enable_anonymous_sign_ins: 'EXTERNAL_ANONYMOUS_USERS_ENABLED',
    enable_manual_linking: 'SECURITY_MANUAL_LINKING_ENABLED',
    enable_refresh_token_rotation: 'REFRESH_TOKEN_ROTATION_ENABLED',
    'email.enable_signup': 'EXTERNAL_EMAIL_ENABLED',
    'email.double_confirm_changes': 'MAILER_SECURE_EMAIL_CHANGE_ENABLED',
    'email.secure_password_change': 'SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION',
    'mfa.totp.enroll_enabled': 'MFA_TOTP_ENROLL_ENABLED',
    'mfa.totp.verify_enabled': 'MFA_TOTP_VERIFY_ENABLED',
    'mfa.web_authn.enroll_enabled': 'MFA_WEB_AUTHN_ENROLL_ENABLED',
    'mfa.web_authn.verify_enabled': 'MFA_WEB_AUTHN_VERIFY_ENABLED',
    'web3.ethereum.enabled': 'EXTERNAL_WEB3_ETHEREUM_ENABLED',
    'web3.solana.enabled': 'EXTERNAL_WEB3_SOLANA_ENABLED',
    'oauth_server.enabled': 'OAUTH_SERVER_ENABLED',
    'oauth_server.allow_dynamic_registration': 'OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION',
  }),
  ...known('whole', {
    jwt_expiry: 'JWT_EXP',
    minimum_password_length: 'PASSWORD_MIN_LENGTH',
    refresh_token_reuse_interval: 'SECURITY_REFRESH_TOKEN_REUSE_INTERVAL',
    'email.otp_length': 'MAILER_OTP_LENGTH',
    'email.otp_expiry': 'MAILER_OTP_EXP',
    'mfa.max_enrolled_factors': 'MFA_MAX_ENROLLED_FACTORS',
    'mfa.phone.otp_length': 'MFA_PHONE_OTP_LENGTH',
    'rate_limit.anonymous_users': 'RATE_LIMIT_ANONYMOUS_USERS',
    'rate_limit.email_sent': 'RATE_LIMIT_EMAIL_SENT',
    'rate_limit.sign_in_sign_ups': 'RATE_LIMIT_OTP',
    'rate_limit.sms_sent': 'RATE_LIMIT_SMS_SENT',
    'rate_limit.token_refresh': 'RATE_LIMIT_TOKEN_REFRESH',
    'rate_limit.token_verifications': 'RATE_LIMIT_VERIFY',
    'rate_limit.web3': 'RATE_LIMIT_WEB3',
  }),
  ...known('seconds', {
    'email.max_frequency': 'SMTP_MAX_FREQUENCY',
    'sms.max_frequency': 'SMS_MAX_FREQUENCY',
    'mfa.phone.max_frequency': 'MFA_PHONE_MAX_FREQUENCY',
  }),
  ...known('hours', {
    'sessions.timebox': 'SESSIONS_TIMEBOX',
    'sessions.inactivity_timeout': 'SESSIONS_INACTIVITY_TIMEOUT',
  }),
  ...known('text', {
    'sms.template': 'SMS_TEMPLATE',
    'mfa.phone.template': 'MFA_PHONE_TEMPLATE',
    'oauth_server.authorization_url_path': 'OAUTH_SERVER_AUTHORIZATION_PATH',
    ...subjects,
  }),
  ...known('requirements', { password_requirements: 'PASSWORD_REQUIRED_CHARACTERS' }),
])

/** What a password is asked to have, by the names of the files. */
export const requirementsOf: ReadonlyMap<string, string | undefined> = new Map([
  ['', passwordRequirements[0]],
  ['letters_digits', passwordRequirements[1]],
  ['lower_upper_letters_digits', passwordRequirements[2]],
  ['lower_upper_letters_digits_symbols', passwordRequirements[3]],
])

/** Seconds of a duration such as 1h30m or 5s; undefined: it is none. */
export function secondsOf(text: string): number | undefined {
  const units: Record<string, number> = { h: 3600, m: 60, s: 1 }
  if (!/^(?:\d+[hms])+$/.test(text)) return text === '0' ? 0 : undefined
  return [...text.matchAll(/(\d+)([hms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0),
    0,
  )
}
