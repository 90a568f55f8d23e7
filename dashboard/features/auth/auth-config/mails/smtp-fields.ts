import type { FormValues, SettingField } from '../setting-field.ts'

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
    help: 'Recipients see it next to the address.',
    shown,
    needed,
  },
  {
    key: 'SMTP_HOST',
    kind: 'text',
    label: 'Host',
    placeholder: 'smtp.example.com',
    help: 'It must be reachable on the internet.',
    shown,
    needed,
  },
  {
    key: 'SMTP_PORT',
    kind: 'text',
    label: 'Port',
    placeholder: '587',
    help: 'Port 465 uses TLS from the first byte. All other ports start TLS if the server offers it.',
    shown,
    needed,
    warning: (value) =>
      value.trim() === '25'
        ? 'Many networks block outgoing email on port 25. Use port 587 instead.'
        : undefined,
  },
  { key: 'SMTP_USER', kind: 'text', label: 'Username', shown },
  { key: 'SMTP_PASS', kind: 'secret', label: 'Password', shown },
  {
    key: 'SMTP_MAX_FREQUENCY',
    kind: 'whole',
    label: 'Minimum interval',
    help: 'Minimum time between two emails to one address, whoever sends them.',
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
