import {
  beforeCaptcha,
  beforeEndingSessions,
  beforeLosingFactor,
  beforePhoneFactor,
} from './cautions.ts'
import type { SettingsGroup } from './setting-field.ts'
import { timeOf } from './settings-form.ts'

/** On top of /project/{ref}/auth/providers */
export const signUps: SettingsGroup = {
  title: 'User sign-ups',
  fields: [
    {
      key: 'DISABLE_SIGNUP',
      kind: 'check',
      inverted: true,
      label: 'Allow new users to sign up',
      help: 'While it is off, only users you invite or create can sign in.',
    },
    {
      key: 'SECURITY_MANUAL_LINKING_ENABLED',
      kind: 'check',
      label: 'Allow manual linking',
      help: 'Signed-in users can add identities to their account and remove them.',
    },
    {
      key: 'EXTERNAL_ANONYMOUS_USERS_ENABLED',
      kind: 'check',
      label: 'Allow anonymous sign-ins',
      help: 'Apps can create a user without an email, phone or provider. These users have the role authenticated: check that your policies tell them apart by the claim is_anonymous.',
    },
    {
      key: 'MAILER_AUTOCONFIRM',
      kind: 'check',
      inverted: true,
      label: 'Confirm email',
      help: 'New users follow a link or enter a code from an email before they can sign in.',
    },
  ],
}

/** /project/{ref}/auth/mfa */
export const secondFactors: readonly SettingsGroup[] = [
  {
    title: 'App authenticator (TOTP)',
    caution: beforeLosingFactor('MFA_TOTP_VERIFY_ENABLED', 'authenticator apps'),
    fields: [
      {
        key: 'MFA_TOTP_VERIFY_ENABLED',
        enroll: 'MFA_TOTP_ENROLL_ENABLED',
        kind: 'factor',
        label: 'Authenticator app codes',
      },
    ],
  },
  {
    title: 'SMS',
    caution: beforePhoneFactor,
    fields: [
      {
        key: 'MFA_PHONE_VERIFY_ENABLED',
        enroll: 'MFA_PHONE_ENROLL_ENABLED',
        kind: 'factor',
        label: 'Text message codes',
      },
      { key: 'MFA_PHONE_OTP_LENGTH', kind: 'whole', label: 'Code length', unit: 'digits' },
      {
        key: 'MFA_PHONE_TEMPLATE',
        kind: 'area',
        label: 'Message',
        help: '{{ .Code }} stands for the code.',
      },
      {
        key: 'MFA_PHONE_MAX_FREQUENCY',
        kind: 'whole',
        label: 'Minimum time between two messages to a phone',
        unit: 'seconds',
      },
    ],
  },
  {
    title: 'WebAuthn',
    caution: beforeLosingFactor('MFA_WEB_AUTHN_VERIFY_ENABLED', 'security keys'),
    fields: [
      {
        key: 'MFA_WEB_AUTHN_VERIFY_ENABLED',
        enroll: 'MFA_WEB_AUTHN_ENROLL_ENABLED',
        kind: 'factor',
        label: 'Security keys and devices',
      },
    ],
  },
  {
    title: 'Limits',
    fields: [
      {
        key: 'MFA_MAX_ENROLLED_FACTORS',
        kind: 'whole',
        label: 'Factors per user',
        help: 'The most factors that a user can add.',
        unit: 'at most',
      },
    ],
  },
]

const noLimit = '0 for no limit.'

/** /project/{ref}/auth/sessions */
export const sessions: readonly SettingsGroup[] = [
  {
    title: 'Tokens',
    fields: [
      {
        key: 'JWT_EXP',
        kind: 'whole',
        label: 'Access token expiry',
        help: 'How long an access token is valid. Clients refresh it before it expires. At most 604800 (a week).',
        reads: timeOf,
      },
      {
        key: 'REFRESH_TOKEN_ROTATION_ENABLED',
        kind: 'check',
        label: 'Detect and revoke refresh tokens that may be stolen',
        help: 'Each refresh token works once. If a client uses it again later, its session ends.',
      },
      {
        key: 'SECURITY_REFRESH_TOKEN_REUSE_INTERVAL',
        kind: 'whole',
        label: 'Refresh token reuse interval',
        help: 'How long a client can use a refresh token again, for example when two tabs refresh at once.',
        unit: 'seconds',
      },
    ],
  },
  {
    title: 'User sessions',
    caution: beforeEndingSessions,
    fields: [
      {
        key: 'SESSIONS_SINGLE_PER_USER',
        kind: 'check',
        label: 'Single session per user',
        help: 'Signing in ends every other session of the user.',
      },
      {
        key: 'SESSIONS_TIMEBOX',
        kind: 'whole',
        label: 'Time-box user sessions',
        help: `Hours after which users have to sign in again. ${noLimit}`,
        reads: (hours) => timeOf(hours * 3600),
      },
      {
        key: 'SESSIONS_INACTIVITY_TIMEOUT',
        kind: 'whole',
        label: 'Inactivity timeout',
        help: `Hours without a refresh after which users have to sign in again. ${noLimit}`,
        reads: (hours) => timeOf(hours * 3600),
      },
    ],
  },
]

/** /project/{ref}/auth/protection */
export const protection: readonly SettingsGroup[] = [
  {
    title: 'Captcha',
    caution: beforeCaptcha,
    fields: [
      {
        key: 'SECURITY_CAPTCHA_ENABLED',
        kind: 'check',
        label: 'Enable captcha protection',
        help: 'Sign-ups, sign-ins, codes and new passwords require the token of a solved captcha.',
      },
      {
        key: 'SECURITY_CAPTCHA_PROVIDER',
        kind: 'choice',
        label: 'Provider',
        choices: [
          { value: 'hcaptcha', label: 'hCaptcha' },
          { value: 'turnstile', label: 'Turnstile by Cloudflare' },
        ],
      },
      {
        key: 'SECURITY_CAPTCHA_SECRET',
        kind: 'secret',
        label: 'Captcha secret',
        help: 'The provider gives you this. The site key goes into your app.',
      },
    ],
  },
  {
    title: 'Passwords',
    fields: [
      {
        key: 'PASSWORD_HIBP_ENABLED',
        kind: 'check',
        label: 'Prevent use of leaked passwords',
        help: 'New passwords are checked against known leaks. Only the start of a hash leaves this server.',
      },
    ],
  },
]
