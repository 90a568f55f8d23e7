import { Link } from '@tanstack/react-router'
import { inProject } from '#contract/permissions'
import { UnsavedGate } from '../../../../session/identity/unsaved.tsx'
import { Alert } from '../../../../ui/Alert.tsx'
import { Card } from '../../../../ui/Card.tsx'
import { Checkbox } from '../../../../ui/controls/Checkbox.tsx'
import { Form } from '../../../../ui/controls/Form.tsx'
import { Page } from '../../../../ui/Page.tsx'
import { PageHead } from '../../../../ui/PageHead.tsx'
import { SaveCancel } from '../../../../ui/controls/SaveCancel.tsx'
import { SettingFields } from '../SettingFields.tsx'
import { leftBehind, ownServer, smtpFields } from './smtp-fields.ts'
import { TestMailCheck } from './TestMail.tsx'
import { useSettings } from '../use-settings.ts'
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
      <Form
        error={settings.error}
        pending={pending}
        onSubmit={settings.submit}
        className="form-stack"
      >
        <Card
          title="Mail server"
          footer={
            <SaveCancel
              dirty={dirty}
              pending={pending}
              reason={reason}
              onCancel={settings.cancel}
            />
          }
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
                This is fine for testing: the platform sends {config.RATE_LIMIT_EMAIL_SENT} emails
                an hour for this project. Set up a mail server before users depend on it.{' '}
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
        </Card>
      </Form>
      <Card title="Test">
        <TestMailCheck projectRef={projectRef} unsaved={dirty} />
      </Card>
    </div>
  )
}
