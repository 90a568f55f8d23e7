import { authKeys, settingOf, type AuthSettings } from '#contract/auth/auth-config-keys'
import { targetsOf } from '#contract/auth/auth-config-forms'
import {
  defaultAuthConfig,
  defaultRateLimits,
  type AuthConfig,
  type Captcha,
} from '../auth/config.ts'
import { parseTestOtp } from '../auth/sms/sms.ts'
import { mailTemplatesOf } from './project-auth-mails.ts'
import { externalProvidersOf, smsProviderOf } from './project-auth-providers.ts'
import { authHooks, hookSecretsOf, hookTargetOf } from '#contract/auth/auth-hooks'

/** All settings, from those that were chosen. A value of another kind than its key has is as good as none. */
export function authSettingsOf(chosen: Record<string, unknown>): AuthSettings {
  const entries = authKeys.map((key) => {
    const { default: initial, type } = settingOf(key)
    const value = chosen[key]
    const fits = type === 'optional' ? typeof value === 'number' : typeof value === typeof initial
    return [key, fits ? value : initial]
  })
  // Every key of the table is there, with a value of its type.
  return Object.fromEntries(entries) as AuthSettings
}

/** The mail server of the project's own; undefined when it has none. */
export type OwnMailServer = {
  host: string
  port: number
  user: string
  password: string
  sender: { name: string; address: string }
}

export function ownMailServerOf(settings: AuthSettings): OwnMailServer | undefined {
  const { SMTP_HOST: host, SMTP_PORT: port, SMTP_USER: user, SMTP_PASS: password } = settings
  const sender = { name: settings.SMTP_SENDER_NAME, address: settings.SMTP_ADMIN_EMAIL }
  return host === '' ? undefined : { host, port: Number(port), user, password, sender }
}

/** What the auth service goes by. */
export function authConfigOf(s: AuthSettings): AuthConfig {
  return defaultAuthConfig({
    siteUrl: s.SITE_URL,
    uriAllowList: targetsOf(s.URI_ALLOW_LIST),
    disableSignup: s.DISABLE_SIGNUP,
    emailEnabled: s.EXTERNAL_EMAIL_ENABLED,
    anonymousEnabled: s.EXTERNAL_ANONYMOUS_USERS_ENABLED,
    mailerAutoconfirm: s.MAILER_AUTOCONFIRM,
    allowUnverifiedEmail: s.MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS,
    secureEmailChange: s.MAILER_SECURE_EMAIL_CHANGE_ENABLED,
    securePasswordChange: s.SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION,
    passwordMinLength: s.PASSWORD_MIN_LENGTH,
    passwordRequiredCharacters: characterSetsOf(s.PASSWORD_REQUIRED_CHARACTERS),
    otpLength: s.MAILER_OTP_LENGTH,
    otpExpirySeconds: s.MAILER_OTP_EXP,
    mailIntervalSeconds: s.SMTP_MAX_FREQUENCY,
    mailTemplates: mailTemplatesOf(s),
    phoneEnabled: s.EXTERNAL_PHONE_ENABLED,
    smsAutoconfirm: s.SMS_AUTOCONFIRM,
    smsProvider: smsProviderOf(s),
    smsTemplate: s.SMS_TEMPLATE,
    smsOtpLength: s.SMS_OTP_LENGTH,
    smsOtpExpirySeconds: s.SMS_OTP_EXP,
    smsIntervalSeconds: s.SMS_MAX_FREQUENCY,
    smsTestOtp: parseTestOtp(s.SMS_TEST_OTP),
    smsTestOtpValidUntil:
      s.SMS_TEST_OTP_VALID_UNTIL === '' ? undefined : new Date(s.SMS_TEST_OTP_VALID_UNTIL),
    refreshReuseSeconds: s.SECURITY_REFRESH_TOKEN_REUSE_INTERVAL,
    refreshRotation: s.REFRESH_TOKEN_ROTATION_ENABLED,
    ...protectionOf(s),
    mfaTotpEnabled: s.MFA_TOTP_VERIFY_ENABLED,
    mfaTotpEnrollEnabled: s.MFA_TOTP_ENROLL_ENABLED,
    mfaPhoneEnrollEnabled: s.MFA_PHONE_ENROLL_ENABLED,
    mfaPhoneVerifyEnabled: s.MFA_PHONE_VERIFY_ENABLED,
    mfaPhoneTemplate: s.MFA_PHONE_TEMPLATE,
    mfaPhoneOtpLength: s.MFA_PHONE_OTP_LENGTH,
    mfaPhoneIntervalSeconds: s.MFA_PHONE_MAX_FREQUENCY,
    mfaMaxFactors: s.MFA_MAX_ENROLLED_FACTORS,
    mfaWebauthnEnabled: s.MFA_WEB_AUTHN_VERIFY_ENABLED,
    mfaWebauthnEnrollEnabled: s.MFA_WEB_AUTHN_ENROLL_ENABLED,
    oauthServer: oauthServerOf(s),
    web3: { ethereum: s.EXTERNAL_WEB3_ETHEREUM_ENABLED, solana: s.EXTERNAL_WEB3_SOLANA_ENABLED },
    passkeysEnabled: s.PASSKEY_ENABLED,
    webauthn: {
      rpId: s.WEBAUTHN_RP_ID,
      rpOrigins: targetsOf(s.WEBAUTHN_RP_ORIGINS),
      rpName: s.WEBAUTHN_RP_DISPLAY_NAME,
    },
    external: externalProvidersOf(s),
    manualLinking: s.SECURITY_MANUAL_LINKING_ENABLED,
    ssoEnabled: s.SAML_ENABLED,
    samlEncryption: s.SAML_ALLOW_ENCRYPTED_ASSERTIONS,
    samlExternalUrl: s.SAML_EXTERNAL_URL.replace(/\/$/, '') || undefined,
    longestRequestMs: s.API_MAX_REQUEST_DURATION ? s.API_MAX_REQUEST_DURATION * 1000 : undefined,
    maxConnections: s.DB_MAX_POOL_SIZE ?? undefined,
    rateLimits: {
      ...defaultRateLimits,
      emails: { ...defaultRateLimits.emails, points: s.RATE_LIMIT_EMAIL_SENT },
      sms: { ...defaultRateLimits.sms, points: s.RATE_LIMIT_SMS_SENT },
      anonymous: { ...defaultRateLimits.anonymous, points: s.RATE_LIMIT_ANONYMOUS_USERS },
      web3: { ...defaultRateLimits.web3, points: s.RATE_LIMIT_WEB3 },
      otp: { ...defaultRateLimits.otp, points: s.RATE_LIMIT_OTP },
      token: { ...defaultRateLimits.token, points: s.RATE_LIMIT_TOKEN_REFRESH },
      verify: { ...defaultRateLimits.verify, points: s.RATE_LIMIT_VERIFY },
    },
  })
}

function oauthServerOf(s: AuthSettings): AuthConfig['oauthServer'] {
  const {
    OAUTH_SERVER_ENABLED: isOn,
    OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: dynamicRegistration,
    OAUTH_SERVER_AUTHORIZATION_PATH: authorizationPath,
  } = s
  return isOn ? { dynamicRegistration, authorizationPath } : null
}

/** Sets of characters with colons between them; `\:` is a colon in a set. */
const characterSetsOf = (text: string): string[] =>
  text
    .split(/(?<!\\):/)
    .map((set) => set.replaceAll(String.raw`\:`, ':'))
    .filter((set) => set !== '')

/** What guards the accounts of a project beside passwords and codes. */
function protectionOf(
  s: AuthSettings,
): Pick<AuthConfig, 'sessionPolicy' | 'hooks' | 'captcha' | 'leakedPasswords'> {
  return {
    hooks: hooksOf(s),
    captcha: captchaOf(s),
    leakedPasswords: s.PASSWORD_HIBP_ENABLED ? {} : undefined,
    sessionPolicy: {
      timeboxHours: s.SESSIONS_TIMEBOX,
      inactivityHours: s.SESSIONS_INACTIVITY_TIMEOUT,
      singlePerUser: s.SESSIONS_SINGLE_PER_USER,
      tags: s.SESSIONS_TAGS.split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    },
  }
}

/** The hooks that are on; the settings are checked before they are kept. */
function hooksOf(s: AuthSettings): AuthConfig['hooks'] {
  const hooks = authHooks.flatMap((name) => {
    const target = hookTargetOf(s[`HOOK_${name}_URI`])
    const secrets = hookSecretsOf(s[`HOOK_${name}_SECRETS`])
    return s[`HOOK_${name}_ENABLED`] && target ? [[name, { ...target, secrets }] as const] : []
  })
  return Object.fromEntries(hooks)
}

/** The provider is one of the two, by the settings' own check. */
function captchaOf(s: AuthSettings): Captcha | undefined {
  const kind = s.SECURITY_CAPTCHA_PROVIDER === 'turnstile' ? 'turnstile' : 'hcaptcha'
  const secret = s.SECURITY_CAPTCHA_SECRET
  return s.SECURITY_CAPTCHA_ENABLED ? { kind, secret } : undefined
}
