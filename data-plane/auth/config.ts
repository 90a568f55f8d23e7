import type { AuthHook, HookTarget } from '#contract/auth/auth-hooks'
import type { ExternalProvider } from './external/external-providers.ts'
import type { MailTemplates } from './mail/mail-templates.ts'
import type { SmsProvider } from './sms/sms-providers.ts'

export type RateLimit = { points: number; seconds: number }

/**
 * Per address of the caller: token, signup, verify, otp, anonymous. Per account: the failures. Per tenant: emails and
 * text messages.
 */
export type RateLimits = {
  token: RateLimit
  signup: RateLimit
  verify: RateLimit
  otp: RateLimit
  anonymous: RateLimit
  /** Sign-in by a wallet. */
  web3: RateLimit
  /** Everything about second factors. */
  mfa: RateLimit
  emails: RateLimit
  sms: RateLimit
  /** Wrong passwords for one account, whether it exists or not. */
  passwordFailures: RateLimit
  /** Wrong one-time codes for one account, whether it exists or not. */
  otpFailures: RateLimit
  /** Wrong codes for one second factor. */
  mfaFailures: RateLimit
}

export const defaultRateLimits: RateLimits = {
  token: { points: 150, seconds: 300 },
  web3: { points: 30, seconds: 300 },
  signup: { points: 150, seconds: 300 },
  verify: { points: 30, seconds: 300 },
  otp: { points: 30, seconds: 300 },
  anonymous: { points: 30, seconds: 3600 },
  mfa: { points: 150, seconds: 300 },
  emails: { points: 30, seconds: 3600 },
  sms: { points: 30, seconds: 3600 },
  passwordFailures: { points: 30, seconds: 300 },
  otpFailures: { points: 20, seconds: 3600 },
  mfaFailures: { points: 10, seconds: 3600 },
}

/** A service that tells people from programs, and the tenant's account there. */
export type Captcha = {
  kind: 'hcaptcha' | 'turnstile'
  secret: string
  /** Where tokens are checked, instead of the service's own address. */
  url?: string | undefined
}

/** Whom to ask; `secrets` sign requests to an address, each in base64. */
export type Hook = HookTarget & { secrets: readonly string[] }
export type Hooks = Partial<Record<AuthHook, Hook>>

/** How long sessions of a tenant last. It is looked at when their tokens are renewed. */
export type SessionPolicy = {
  /** Hours from the sign-in on; 0 for no limit. */
  timeboxHours: number
  /** Hours without a renewal of the tokens; 0 for no limit. */
  inactivityHours: number
  /** Of the sessions of one user with the same tag only the newest goes on. */
  singlePerUser: boolean
  /** Tags that count; a session with another one, or none, has the first. */
  tags: readonly string[]
}

export const noSessionPolicy: SessionPolicy = {
  timeboxHours: 0,
  inactivityHours: 0,
  singlePerUser: false,
  tags: [],
}

export type AuthConfig = {
  /** Where links lead when no allowed target was asked for. */
  siteUrl: string
  /** Globs of further redirect targets: `*` within a segment, `**` anything, `?` one character. */
  uriAllowList: readonly string[]
  disableSignup: boolean
  emailEnabled: boolean
  anonymousEnabled: boolean
  /** New addresses count as confirmed without a mail. */
  mailerAutoconfirm: boolean
  /** Who signed up and has not confirmed the address yet signs in with the password all the same. */
  allowUnverifiedEmail: boolean
  /** A changed address counts as confirmed without a mail; by default as new ones do. */
  emailChangeAutoconfirm: boolean
  /** An e-mail change must be confirmed at the old and the new address. */
  secureEmailChange: boolean
  /** A password change needs a session younger than a day, or a nonce. */
  securePasswordChange: boolean
  requireCurrentPassword: boolean
  passwordMinLength: number
  /** Sets of characters; a password needs one of each. */
  passwordRequiredCharacters: readonly string[]
  otpLength: number
  otpExpirySeconds: number
  /** Least time between two mails to one address for the same purpose. */
  mailIntervalSeconds: number
  /** People may sign up and in with a phone number. */
  phoneEnabled: boolean
  /** New and changed numbers count as confirmed without a message. */
  smsAutoconfirm: boolean
  /** The service that sends text messages; without one they go to the local outbox, where there is one. */
  smsProvider: SmsProvider | undefined
  /** What a message says; `{{ .Code }}` is the code. */
  smsTemplate: string
  smsOtpLength: number
  smsOtpExpirySeconds: number
  /** Least time between two messages to one number. */
  smsIntervalSeconds: number
  /** Codes by number (digits without plus): these numbers get no message, and their code is always the same. */
  smsTestOtp: Readonly<Record<string, string>>
  /** When test numbers become numbers like others; undefined for never. */
  smsTestOtpValidUntil: Date | undefined
  /** How long a rotated refresh token still leads to the active one, for requests that ran in parallel. */
  refreshReuseSeconds: number
  /** Off: a session keeps its refresh token, and one that comes back is no sign of a theft. */
  refreshRotation: boolean
  sessionPolicy: SessionPolicy
  /** New passwords are looked for among leaked ones; `url` stands in for the address of the service. */
  leakedPasswords: { url?: string } | undefined
  /** Who asks for a session, an account or a message has to solve one; undefined for none. */
  captcha: Captcha | undefined
  /** Where the tenant is asked before this service goes on. */
  hooks: Hooks
  /** Second factors by authenticator app may be added and shown. */
  mfaTotpEnabled: boolean
  /** Off: those that are there can be shown, and none is added. */
  mfaTotpEnrollEnabled: boolean
  /** Telephones may be added as second factors; and be shown. */
  mfaPhoneEnrollEnabled: boolean
  mfaPhoneVerifyEnabled: boolean
  /** What their messages say; `{{ .Code }}` is the code. */
  mfaPhoneTemplate: string
  mfaPhoneOtpLength: number
  /** Least time between two codes of second factors to one number. */
  mfaPhoneIntervalSeconds: number
  /** Second factors that are keys (WebAuthn) may be added and shown; off by `enroll`, those that are there can be shown. */
  mfaWebauthnEnabled: boolean
  mfaWebauthnEnrollEnabled: boolean
  /** Apps of others sign people in with their account here; `null` where none may. */
  oauthServer: { dynamicRegistration: boolean; authorizationPath: string } | null
  /** People may sign in by a wallet of these chains. */
  web3: { ethereum: boolean; solana: boolean }
  /** People may sign in with a passkey. */
  passkeysEnabled: boolean
  /** Where keys belong to; what is empty follows from the site. */
  webauthn: { rpId: string; rpOrigins: readonly string[]; rpName: string }
  /** Most second factors of one user, unfinished ones included. */
  mfaMaxFactors: number
  /** Other places where people can sign in. */
  external: readonly ExternalProvider[]
  /** Signed-in people may add further ways of signing in, and take them away. */
  manualLinking: boolean
  /**
   * A sign-in at another place ends only in the browser that began it (by a cookie). For tenants whose pages have the
   * origin of this service: elsewhere browsers keep its cookies from them.
   */
  bindSignIns: boolean
  /** Single sign-on of organizations. */
  ssoEnabled: boolean
  /** Such a provider signs in only people with an address of one of its domains, even when it has none. */
  ssoNeedsDomain: boolean
  /** The base that SAML providers know this service by, in place of its own. */
  samlExternalUrl: string | undefined
  /** Such providers may encrypt what they assert. */
  samlEncryption: boolean
  /** Milliseconds after which a request is given up; undefined: none is. */
  longestRequestMs: number | undefined
  /** Most connections to the database; undefined: what the process gives. */
  maxConnections: number | undefined
  rateLimits: RateLimits
  /** Own texts instead of the built-in ones. */
  mailTemplates: MailTemplates
}

/** The contract's defaults. Only `siteUrl` has none. */
export function defaultAuthConfig(config: Partial<AuthConfig> & { siteUrl: string }): AuthConfig {
  return {
    uriAllowList: [],
    disableSignup: false,
    emailEnabled: true,
    anonymousEnabled: false,
    mailerAutoconfirm: false,
    allowUnverifiedEmail: false,
    emailChangeAutoconfirm: config.mailerAutoconfirm ?? false,
    secureEmailChange: true,
    securePasswordChange: false,
    requireCurrentPassword: false,
    passwordMinLength: 6,
    passwordRequiredCharacters: [],
    otpLength: 6,
    otpExpirySeconds: 3600,
    mailIntervalSeconds: 60,
    phoneEnabled: false,
    smsAutoconfirm: false,
    smsProvider: undefined,
    smsTemplate: 'Your code is {{ .Code }}',
    smsOtpLength: 6,
    smsOtpExpirySeconds: 3600,
    smsIntervalSeconds: 60,
    smsTestOtp: {},
    smsTestOtpValidUntil: undefined,
    refreshReuseSeconds: 10,
    refreshRotation: true,
    sessionPolicy: noSessionPolicy,
    leakedPasswords: undefined,
    captcha: undefined,
    hooks: {},
    mfaTotpEnabled: true,
    mfaTotpEnrollEnabled: true,
    mfaPhoneEnrollEnabled: false,
    mfaPhoneVerifyEnabled: false,
    mfaPhoneTemplate: 'Your code is {{ .Code }}',
    mfaPhoneOtpLength: 6,
    mfaPhoneIntervalSeconds: 60,
    mfaMaxFactors: 10,
    mfaWebauthnEnabled: false,
    mfaWebauthnEnrollEnabled: false,
    oauthServer: null,
    web3: { ethereum: false, solana: false },
    passkeysEnabled: false,
    webauthn: { rpId: '', rpOrigins: [], rpName: '' },
    external: [],
    manualLinking: false,
    bindSignIns: false,
    ssoEnabled: false,
    ssoNeedsDomain: false,
    samlExternalUrl: undefined,
    samlEncryption: false,
    longestRequestMs: undefined,
    maxConnections: undefined,
    rateLimits: defaultRateLimits,
    mailTemplates: {},
    ...config,
  }
}
