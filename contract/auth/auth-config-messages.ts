import { line, off, on, secret, text, whole } from './auth-config-setting.ts'
import { builtInMails, type AuthMailKind } from './auth-mails.ts'

const day = 24 * 3600

const subject = (kind: AuthMailKind) =>
  text({ default: builtInMails[kind].subject, max: 255, form: 'line' })
const content = (kind: AuthMailKind) => text({ default: builtInMails[kind].html, max: 50_000 })

/** Mails: whether they are needed, how they look, and the mail server that sends them. */
export const mailSettings = {
  EXTERNAL_EMAIL_ENABLED: on,
  MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS: off,
  /** Where nobody could send a mail, it is on until a project says otherwise. */
  MAILER_AUTOCONFIRM: off,
  MAILER_SECURE_EMAIL_CHANGE_ENABLED: on,
  MAILER_OTP_EXP: whole(3600, 1, day),
  MAILER_OTP_LENGTH: whole(6, 6, 10),
  MAILER_SUBJECTS_CONFIRMATION: subject('confirmation'),
  MAILER_SUBJECTS_EMAIL_CHANGE: subject('email_change'),
  MAILER_SUBJECTS_INVITE: subject('invite'),
  MAILER_SUBJECTS_MAGIC_LINK: subject('magic_link'),
  MAILER_SUBJECTS_REAUTHENTICATION: subject('reauthentication'),
  MAILER_SUBJECTS_RECOVERY: subject('recovery'),
  MAILER_TEMPLATES_CONFIRMATION_CONTENT: content('confirmation'),
  MAILER_TEMPLATES_EMAIL_CHANGE_CONTENT: content('email_change'),
  MAILER_TEMPLATES_INVITE_CONTENT: content('invite'),
  MAILER_TEMPLATES_MAGIC_LINK_CONTENT: content('magic_link'),
  MAILER_TEMPLATES_REAUTHENTICATION_CONTENT: content('reauthentication'),
  MAILER_TEMPLATES_RECOVERY_CONTENT: content('recovery'),
  SMTP_HOST: text({ max: 253, form: 'host' }),
  /** 465 speaks TLS from the first byte, all others by STARTTLS. */
  SMTP_PORT: text({ form: 'port' }),
  SMTP_USER: line,
  SMTP_PASS: secret,
  SMTP_ADMIN_EMAIL: text({ max: 254, form: 'email' }),
  SMTP_SENDER_NAME: text({ max: 100, form: 'sender' }),
  /** Least seconds between two mails to one address, whoever sends them. */
  SMTP_MAX_FREQUENCY: whole(60, 0, 32_767),
}

/** Text messages, and the service that sends them. */
export const smsSettings = {
  EXTERNAL_PHONE_ENABLED: off,
  SMS_AUTOCONFIRM: off,
  SMS_MAX_FREQUENCY: whole(60, 0, 32_767),
  SMS_OTP_EXP: whole(3600, 1, day),
  SMS_OTP_LENGTH: whole(6, 6, 10),
  SMS_PROVIDER: text({
    oneOf: ['', 'twilio', 'messagebird', 'textlocal', 'vonage', 'twilio_verify'],
  }),
  SMS_TEMPLATE: text({ default: 'Your code is {{ .Code }}', form: 'code-template' }),
  /** `15550001111=123456`, with commas between several: these numbers get no message, and their code is always the same. */
  SMS_TEST_OTP: text({ max: 5000, form: 'test-numbers' }),
  SMS_TEST_OTP_VALID_UNTIL: text({ form: 'instant' }),
  SMS_MESSAGEBIRD_ACCESS_KEY: secret,
  SMS_MESSAGEBIRD_ORIGINATOR: line,
  SMS_TEXTLOCAL_API_KEY: secret,
  SMS_TEXTLOCAL_SENDER: line,
  SMS_TWILIO_ACCOUNT_SID: line,
  SMS_TWILIO_AUTH_TOKEN: secret,
  SMS_TWILIO_CONTENT_SID: line,
  SMS_TWILIO_MESSAGE_SERVICE_SID: line,
  SMS_TWILIO_VERIFY_ACCOUNT_SID: line,
  SMS_TWILIO_VERIFY_AUTH_TOKEN: secret,
  SMS_TWILIO_VERIFY_MESSAGE_SERVICE_SID: line,
  SMS_VONAGE_API_KEY: line,
  SMS_VONAGE_API_SECRET: secret,
  SMS_VONAGE_FROM: line,
}
