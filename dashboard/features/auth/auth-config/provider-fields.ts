import { authSettings, passwordRequirements } from '#contract/auth/auth-config-keys'
import type { FormValues, SettingField } from './setting-field.ts'
import { timeOf } from './settings-form.ts'

const requirementNames = [
  'No required characters',
  'Letters and digits',
  'Lowercase and uppercase letters and digits',
  'Lowercase and uppercase letters, digits and symbols',
]

/** An hour: codes and links that live longer are easier to guess or to find. */
const longestExpiry = 3600
const tooLong = (value: string) =>
  Number(value) > longestExpiry
    ? 'More than an hour (3600 seconds) leaves a lot of time to guess a code or misuse an email.'
    : undefined

export const emailFields: readonly SettingField[] = [
  {
    key: 'EXTERNAL_EMAIL_ENABLED',
    kind: 'check',
    label: 'Enable sign-in with email',
    help: 'With a password, link or code.',
  },
  {
    key: 'MAILER_SECURE_EMAIL_CHANGE_ENABLED',
    kind: 'check',
    label: 'Secure email change',
    help: 'Users confirm an email change from both the old and the new address.',
  },
  {
    key: 'SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION',
    kind: 'check',
    label: 'Secure password change',
    help: 'To change a password, users must have signed in within the last 24 hours or enter a code from an email.',
  },
  {
    key: 'MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS',
    kind: 'check',
    label: 'Allow sign-ins with an unverified email',
    help: 'Users can sign in before they have confirmed their address. Your app has to tell them apart.',
  },
  {
    key: 'PASSWORD_HIBP_ENABLED',
    kind: 'check',
    label: 'Prevent use of leaked passwords',
    help: 'New passwords are checked against known leaks.',
  },
  {
    key: 'PASSWORD_MIN_LENGTH',
    kind: 'whole',
    label: 'Minimum password length',
    unit: 'characters',
    warning: (value) => (Number(value) < 8 ? '8 characters or more are recommended.' : undefined),
  },
  {
    key: 'PASSWORD_REQUIRED_CHARACTERS',
    kind: 'choice',
    label: 'Password requirements',
    help: 'Applies to new passwords. Existing passwords stay as they are.',
    choices: passwordRequirements.map((value, at) => ({
      value,
      label: requirementNames[at] ?? value,
    })),
  },
  {
    key: 'MAILER_OTP_EXP',
    kind: 'whole',
    label: 'Email OTP expiration',
    help: 'How many seconds a link or a code from an email is valid. At most 86400.',
    reads: timeOf,
    warning: tooLong,
  },
  { key: 'MAILER_OTP_LENGTH', kind: 'whole', label: 'Email OTP length', unit: 'digits' },
]

export const smsProviderNames: Record<string, string> = {
  twilio: 'Twilio',
  messagebird: 'Messagebird',
  textlocal: 'Textlocal',
  vonage: 'Vonage',
  twilio_verify: 'Twilio Verify',
}

const smsChoices =
  'oneOf' in authSettings.SMS_PROVIDER && authSettings.SMS_PROVIDER.oneOf
    ? authSettings.SMS_PROVIDER.oneOf
    : []

const when =
  (...names: string[]) =>
  (values: FormValues) =>
    names.includes(String(values['SMS_PROVIDER']))
/** That service makes the codes and words the messages itself. */
const ownCodes = (values: FormValues) => values['SMS_PROVIDER'] !== 'twilio_verify'

export const phoneFields: readonly SettingField[] = [
  {
    key: 'EXTERNAL_PHONE_ENABLED',
    kind: 'check',
    label: 'Enable sign-in with a phone number',
    help: 'With a code in a text message, or a password.',
  },
  {
    key: 'SMS_PROVIDER',
    kind: 'choice',
    label: 'SMS provider',
    choices: smsChoices.map((value) => ({ value, label: smsProviderNames[value] ?? 'None' })),
  },
  { key: 'SMS_TWILIO_ACCOUNT_SID', kind: 'text', label: 'Account SID', shown: when('twilio') },
  { key: 'SMS_TWILIO_AUTH_TOKEN', kind: 'secret', label: 'Auth token', shown: when('twilio') },
  {
    key: 'SMS_TWILIO_MESSAGE_SERVICE_SID',
    kind: 'text',
    label: 'Messaging service SID',
    shown: when('twilio'),
  },
  {
    key: 'SMS_TWILIO_CONTENT_SID',
    kind: 'text',
    label: 'Content SID',
    help: 'Only for WhatsApp.',
    shown: when('twilio'),
  },
  {
    key: 'SMS_TWILIO_VERIFY_ACCOUNT_SID',
    kind: 'text',
    label: 'Account SID',
    shown: when('twilio_verify'),
  },
  {
    key: 'SMS_TWILIO_VERIFY_AUTH_TOKEN',
    kind: 'secret',
    label: 'Auth token',
    shown: when('twilio_verify'),
  },
  {
    key: 'SMS_TWILIO_VERIFY_MESSAGE_SERVICE_SID',
    kind: 'text',
    label: 'Verify service SID',
    shown: when('twilio_verify'),
  },
  {
    key: 'SMS_MESSAGEBIRD_ACCESS_KEY',
    kind: 'secret',
    label: 'Access key',
    shown: when('messagebird'),
  },
  {
    key: 'SMS_MESSAGEBIRD_ORIGINATOR',
    kind: 'text',
    label: 'Originator',
    shown: when('messagebird'),
  },
  { key: 'SMS_TEXTLOCAL_API_KEY', kind: 'secret', label: 'API key', shown: when('textlocal') },
  { key: 'SMS_TEXTLOCAL_SENDER', kind: 'text', label: 'Sender', shown: when('textlocal') },
  { key: 'SMS_VONAGE_API_KEY', kind: 'text', label: 'API key', shown: when('vonage') },
  { key: 'SMS_VONAGE_API_SECRET', kind: 'secret', label: 'API secret', shown: when('vonage') },
  { key: 'SMS_VONAGE_FROM', kind: 'text', label: 'From', shown: when('vonage') },
  {
    key: 'SMS_AUTOCONFIRM',
    kind: 'check',
    inverted: true,
    label: 'Confirm phone numbers',
    help: 'New users enter a code from a text message before they can sign in.',
  },
  {
    key: 'SMS_OTP_EXP',
    kind: 'whole',
    label: 'SMS OTP expiration',
    help: 'How many seconds a code is valid. At most 86400.',
    reads: timeOf,
    warning: tooLong,
    shown: ownCodes,
  },
  {
    key: 'SMS_OTP_LENGTH',
    kind: 'whole',
    label: 'SMS OTP length',
    unit: 'digits',
    shown: ownCodes,
  },
  {
    key: 'SMS_MAX_FREQUENCY',
    kind: 'whole',
    label: 'Minimum time between two messages to a number',
    unit: 'seconds',
  },
  {
    key: 'SMS_TEMPLATE',
    kind: 'area',
    label: 'SMS message',
    help: '{{ .Code }} stands for the code.',
    shown: ownCodes,
  },
  {
    key: 'SMS_TEST_OTP',
    kind: 'lines',
    label: 'Test phone numbers and codes',
    help: 'One per line, such as 15550001111=123456. These numbers get no message, and their code is always the same.',
  },
  {
    key: 'SMS_TEST_OTP_VALID_UNTIL',
    kind: 'text',
    label: 'Test codes valid until',
    placeholder: '2030-01-31T12:00:00Z',
    help: 'Leave empty for no end.',
  },
]

export const samlFields: readonly SettingField[] = [
  {
    key: 'SAML_ENABLED',
    kind: 'check',
    label: 'Enable sign-in with SAML 2.0',
    help: 'Add identity providers through the admin API of the auth service.',
  },
  {
    key: 'SAML_ALLOW_ENCRYPTED_ASSERTIONS',
    kind: 'check',
    label: 'Allow encrypted assertions',
  },
  {
    key: 'SAML_EXTERNAL_URL',
    kind: 'text',
    label: 'External URL',
    placeholder: 'https://',
    help: 'Set it if identity providers know this project by a different URL.',
  },
]
