import { mailSettings, smsSettings } from './auth-config-messages.ts'
import { providerSettings } from './auth-config-providers.ts'
import { line, off, on, optional, secret, text, whole } from './auth-config-setting.ts'
import type { Setting, ValueOf } from './auth-config-setting.ts'
import type { PlanGate } from '../billing/plan-comparison.ts'

const week = 7 * 24 * 3600
const rate = (perPeriod: number) => whole(perPeriod, 1, 2_147_483_647)

const letters = 'abcdefghijklmnopqrstuvwxyz'
const capitals = letters.toUpperCase()
const digits = '0123456789'
/** A colon in a set is written `\:`, because colons stand between sets. The backslash before it is a symbol too. */
const symbols = '!@#$%^&*()_+-=[]{};\'\\\\:"|<>?,./`~'
const sets = (...each: string[]): string => each.join(':')

/** What a password can be asked to have: one character of each set, with colons between the sets. */
export const passwordRequirements: readonly string[] = [
  '',
  sets(letters + capitals, digits),
  sets(letters, capitals, digits),
  sets(letters, capitals, digits, symbols),
]

const hookUri = text({ form: 'hook-uri' })
const hookSecrets = text({ secret: true, form: 'hook-secrets' })

const otherSettings = {
  SITE_URL: text({ default: 'http://localhost:3000', max: 2048, form: 'site' }),
  /** Globs with commas between them. */
  URI_ALLOW_LIST: text({ max: 10_000, form: 'allow-list' }),
  DISABLE_SIGNUP: off,
  EXTERNAL_ANONYMOUS_USERS_ENABLED: off,
  EXTERNAL_WEB3_ETHEREUM_ENABLED: off,
  EXTERNAL_WEB3_SOLANA_ENABLED: off,
  JWT_EXP: whole(3600, 1, week),
  API_MAX_REQUEST_DURATION: optional(1, 600),
  DB_MAX_POOL_SIZE: optional(1, 1000),

  PASSWORD_MIN_LENGTH: whole(6, 6, 72),
  PASSWORD_REQUIRED_CHARACTERS: text({ oneOf: passwordRequirements }),
  PASSWORD_HIBP_ENABLED: off,

  /** By the hour and for everybody together: mails and text messages. */
  RATE_LIMIT_EMAIL_SENT: rate(30),
  RATE_LIMIT_SMS_SENT: rate(30),
  /** By the hour and address. */
  RATE_LIMIT_ANONYMOUS_USERS: rate(30),
  /** In five minutes, by address. */
  RATE_LIMIT_OTP: rate(30),
  RATE_LIMIT_WEB3: rate(30),
  RATE_LIMIT_TOKEN_REFRESH: rate(150),
  RATE_LIMIT_VERIFY: rate(30),

  MFA_MAX_ENROLLED_FACTORS: whole(10, 0, 100),
  MFA_TOTP_ENROLL_ENABLED: on,
  MFA_TOTP_VERIFY_ENABLED: on,
  MFA_PHONE_ENROLL_ENABLED: off,
  MFA_PHONE_VERIFY_ENABLED: off,
  MFA_PHONE_MAX_FREQUENCY: whole(60, 0, 32_767),
  MFA_PHONE_OTP_LENGTH: whole(6, 6, 10),
  MFA_PHONE_TEMPLATE: text({ default: 'Your code is {{ .Code }}', form: 'code-template' }),
  MFA_WEB_AUTHN_ENROLL_ENABLED: off,
  MFA_WEB_AUTHN_VERIFY_ENABLED: off,
  OAUTH_SERVER_ENABLED: off,
  OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: off,
  /** Of the site: where people are asked whether an app may sign them in. */
  OAUTH_SERVER_AUTHORIZATION_PATH: text({ default: '/oauth/consent', max: 500, form: 'line' }),
  PASSKEY_ENABLED: off,
  /** What is empty follows from the site. Origins with commas between them. */
  WEBAUTHN_RP_ID: text({ form: 'host', max: 253 }),
  WEBAUTHN_RP_ORIGINS: text({ max: 2000, form: 'allow-list' }),
  WEBAUTHN_RP_DISPLAY_NAME: line,

  REFRESH_TOKEN_ROTATION_ENABLED: on,
  SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: whole(10, 0, 3600),
  SECURITY_MANUAL_LINKING_ENABLED: off,
  SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: off,
  SECURITY_CAPTCHA_ENABLED: off,
  SECURITY_CAPTCHA_PROVIDER: text({ default: 'hcaptcha', oneOf: ['hcaptcha', 'turnstile'] }),
  SECURITY_CAPTCHA_SECRET: secret,

  /** Hours; 0 for no limit, and a hundred years are the most. */
  SESSIONS_INACTIVITY_TIMEOUT: whole(0, 0, 876_000),
  SESSIONS_TIMEBOX: whole(0, 0, 876_000),
  SESSIONS_SINGLE_PER_USER: off,
  /** With commas between them; sessions with another tag, or none, count as having the first. */
  SESSIONS_TAGS: line,

  SAML_ENABLED: off,
  SAML_ALLOW_ENCRYPTED_ASSERTIONS: off,
  SAML_EXTERNAL_URL: text({ form: 'https' }),

  HOOK_BEFORE_USER_CREATED_ENABLED: off,
  HOOK_BEFORE_USER_CREATED_URI: hookUri,
  HOOK_BEFORE_USER_CREATED_SECRETS: hookSecrets,
  HOOK_CUSTOM_ACCESS_TOKEN_ENABLED: off,
  HOOK_CUSTOM_ACCESS_TOKEN_URI: hookUri,
  HOOK_CUSTOM_ACCESS_TOKEN_SECRETS: hookSecrets,
  HOOK_MFA_VERIFICATION_ATTEMPT_ENABLED: off,
  HOOK_MFA_VERIFICATION_ATTEMPT_URI: hookUri,
  HOOK_MFA_VERIFICATION_ATTEMPT_SECRETS: hookSecrets,
  HOOK_PASSWORD_VERIFICATION_ATTEMPT_ENABLED: off,
  HOOK_PASSWORD_VERIFICATION_ATTEMPT_URI: hookUri,
  HOOK_PASSWORD_VERIFICATION_ATTEMPT_SECRETS: hookSecrets,
  HOOK_SEND_EMAIL_ENABLED: off,
  HOOK_SEND_EMAIL_URI: hookUri,
  HOOK_SEND_EMAIL_SECRETS: hookSecrets,
  HOOK_SEND_SMS_ENABLED: off,
  HOOK_SEND_SMS_URI: hookUri,
  HOOK_SEND_SMS_SECRETS: hookSecrets,
}

/** Every setting of a project's auth service, by the key that the API calls it (facts §5). */
export const authSettings = {
  ...otherSettings,
  ...mailSettings,
  ...smsSettings,
  ...providerSettings,
} satisfies Record<string, Setting>

type Table = typeof authSettings
export type AuthKey = keyof Table
export type AuthSettings = { [K in AuthKey]: ValueOf<Table[K]> }

// The names of the table are its keys, which Object.keys forgets.
export const authKeys = Object.keys(authSettings) as AuthKey[]

export const isSecret = (key: AuthKey): boolean => 'secret' in settingOf(key)
export const settingOf = (key: AuthKey): Setting => authSettings[key]

/** Settings that only some plans have, by what of the plan it is (requirements §6, facts §1.1). */
export const gatesOfSettings: Partial<Record<AuthKey, PlanGate>> = {
  PASSWORD_HIBP_ENABLED: 'auth.leakedPasswordProtection',
  SESSIONS_SINGLE_PER_USER: 'auth.singleSessionPerUser',
  SESSIONS_TIMEBOX: 'auth.sessionTimeouts',
  SESSIONS_INACTIVITY_TIMEOUT: 'auth.sessionTimeouts',
  SAML_ENABLED: 'auth.saml',
  MFA_PHONE_ENROLL_ENABLED: 'auth.advancedMFAPhone',
  MFA_PHONE_VERIFY_ENABLED: 'auth.advancedMFAPhone',
  HOOK_MFA_VERIFICATION_ATTEMPT_ENABLED: 'auth.authHooks.all',
  HOOK_PASSWORD_VERIFICATION_ATTEMPT_ENABLED: 'auth.authHooks.all',
}
