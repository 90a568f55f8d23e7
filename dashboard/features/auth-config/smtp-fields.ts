import type { FormValues, SettingField } from './setting-field.ts'

/** What the form calls the choice between an own mail server and none, which is no setting of its own. */
export const ownServer = 'own'

const shown = (values: FormValues) => values[ownServer] === true
const needed = true as const

export const smtpFields: readonly SettingField[] = [
  {
    key: 'SMTP_ADMIN_EMAIL',
    kind: 'text',
    label: 'Sender email address',
    placeholder: 'no-reply@example.com',
    shown,
    needed,
  },
  {
    key: 'SMTP_SENDER_NAME',
    kind: 'text',
    label: 'Sender name',
    prose: true,
    help: 'What readers see beside the address.',
    shown,
    needed,
  },
  {
    key: 'SMTP_HOST',
    kind: 'text',
    label: 'Host',
    placeholder: 'smtp.example.com',
    help: 'It has to be reachable on the internet.',
    shown,
    needed,
  },
  {
    key: 'SMTP_PORT',
    kind: 'text',
    label: 'Port',
    placeholder: '587',
    help: '465 speaks TLS from the first byte, all others begin it when the server offers it.',
    shown,
    needed,
    warning: (value) =>
      value.trim() === '25'
        ? 'Many networks let no mail out by port 25; 587 is for this.'
        : undefined,
  },
  { key: 'SMTP_USER', kind: 'text', label: 'Username', shown },
  { key: 'SMTP_PASS', kind: 'secret', label: 'Password', shown },
  {
    key: 'SMTP_MAX_FREQUENCY',
    kind: 'whole',
    label: 'Minimum interval',
    help: 'Least time between two mails to one address, whoever sends them.',
    unit: 'seconds',
  },
]

/** What is sent besides: without a server nothing of it stays, and without a name no password. */
export const leftBehind = (values: FormValues) =>
  shown(values)
    ? String(values['SMTP_USER'] ?? '').trim() === ''
      ? { SMTP_PASS: null }
      : {}
    : {
        SMTP_ADMIN_EMAIL: null,
        SMTP_SENDER_NAME: null,
        SMTP_HOST: null,
        SMTP_PORT: null,
        SMTP_USER: null,
        SMTP_PASS: null,
      }
