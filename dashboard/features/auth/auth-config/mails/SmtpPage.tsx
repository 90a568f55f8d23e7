import { Link } from '@tanstack/react-router'
import { inProject } from '#contract/permissions'
import { UnsavedGate } from '../../../../session/identity/unsaved.tsx'
import { Alert } from '../../../../ui/Alert.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { Page, PageHead } from '../../../../ui/Page.tsx'
import { FormCard } from '../../../../ui/controls/FormCard.tsx'
import { SettingFields } from '../SettingFields.tsx'
import type { FormValues, SettingField } from '../setting-field.ts'
import { useSettings } from '../use-settings.ts'
import { TestMailCheck } from './TestMail.tsx'
import '../auth-config.css'

/** More people may change these than the rest (facts §2.4). */
const changing = { needs: inProject('write:Update', 'custom_config_gotrue.smtp') }

/** /project/{ref}/auth/smtp: who sends the mails. */
export function SmtpPage({ projectRef }: { projectRef: string }) {
  return (
    <UnsavedGate>
      <Page width="form">
        <PageHead title="SMTP settings" help="Configure which server sends auth emails." />
        <SmtpForm projectRef={projectRef} />
      </Page>
    </UnsavedGate>
  )
}

function SmtpForm({ projectRef }: { projectRef: string }) {
  const settings = useSettings({
    projectRef,
    title: 'SMTP settings',
    fields: smtpFields,
    needs: changing,
    extra: (config) => ({ [ownServer]: config.SMTP_HOST !== '' }),
    also: leftBehind,
  })
  const { form, values, config, dirty, pending, reason } = settings
  return (
    <div className="sections">
      <FormCard
        title="Mail server"
        error={settings.error}
        dirty={dirty}
        pending={pending}
        reason={reason}
        onSubmit={settings.submit}
        onCancel={settings.cancel}
      >
        <div className="form-stack">
          <div className="setting-check">
            <Checkbox
              label="Enable custom SMTP"
              disabled={reason !== undefined}
              {...form.register(ownServer)}
            />
            <p>Your own mail server sends the emails, with your address as the sender.</p>
          </div>
          {values[ownServer] !== true && (
            <Alert variant="warning" title="Emails are sent by the platform">
              This is fine for testing: the platform sends {config.RATE_LIMIT_EMAIL_SENT} emails an
              hour for this project. Set up a mail server before users depend on it.{' '}
              <Link
                className="link"
                to="/project/$ref/auth/rate-limits"
                params={{ ref: projectRef }}
              >
                Rate limits
              </Link>
            </Alert>
          )}
          <SettingFields projectRef={projectRef} settings={settings} />
        </div>
      </FormCard>
      <Card title="Test">
        <TestMailCheck projectRef={projectRef} unsaved={dirty} />
      </Card>
    </div>
  )
}

/** What the form calls the choice between an own mail server and none, which is no setting of its own. */
const ownServer = 'own'

const shown = (values: FormValues) => values[ownServer] === true
const needed = true as const

const smtpFields: readonly SettingField[] = [
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
const leftBehind = (values: FormValues) =>
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
