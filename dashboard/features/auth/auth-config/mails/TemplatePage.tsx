import { Link } from '@tanstack/react-router'
import { ArrowLeft, Check, TriangleAlert } from 'lucide-react'
import { useState, useDeferredValue } from 'react'
import { UnsavedGate } from '../../../../session/identity/unsaved.tsx'
import { useWindowName } from '../../../../session/window-name.ts'
import { Card } from '../../../../ui/Card.tsx'
import { Form } from '../../../../ui/controls/Form.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { Page } from '../../../../ui/Page.tsx'
import { PageHead } from '../../../../ui/PageHead.tsx'
import { SaveCancel } from '../../../../ui/controls/SaveCancel.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import type { SettingField } from '../setting-field.ts'
import { problemIn } from '../settings-form.ts'
import { useSettings } from '../use-settings.ts'
import { MailBody } from './MailBody.tsx'
import type { MailTemplate } from './mail-kinds.ts'
import { ResetMail } from './ResetMail.tsx'
import { TestMailButton } from './TestMail.tsx'
import { spamHints } from './spam-hints.ts'
import '../auth-config.css'

type Props = { projectRef: string; template: MailTemplate }

/** /project/{ref}/auth/templates/{kind}: subject and body of one mail. */
export function TemplatePage(props: Props) {
  const { projectRef, template } = props
  useWindowName(template.title)
  return (
    <UnsavedGate>
      <Page width="list">
        <Link className="link back" to="/project/$ref/auth/templates" params={{ ref: projectRef }}>
          <Icon of={ArrowLeft} size="xs" /> Email templates
        </Link>
        <PageHead title={template.title} help={template.help} />
        <TemplateForm {...props} />
      </Page>
    </UnsavedGate>
  )
}

function TemplateForm({ projectRef, template }: Props) {
  const { kind, title } = template
  // The same objects while the page is open.
  const [fields] = useState((): readonly [SettingField, SettingField] => [
    { key: template.subject, kind: 'text', label: 'Subject' },
    { key: template.content, kind: 'area', label: 'Body' },
  ])
  const settings = useSettings({ projectRef, title, fields })
  const { form, values, reason } = settings
  const [subjectField] = fields
  const subject = String(values[template.subject])
  const html = String(values[template.content])
  return (
    <>
      <Form
        error={settings.error}
        pending={settings.pending}
        onSubmit={settings.submit}
        className="form-stack"
      >
        <Card
          footer={
            <>
              <div className="mail-acts">
                <TestMailButton projectRef={projectRef} mail={{ kind, subject, html }}>
                  Send test
                </TestMailButton>
                <ResetMail projectRef={projectRef} template={template} reason={reason} />
              </div>
              <SaveCancel
                dirty={settings.dirty}
                pending={settings.pending}
                reason={reason}
                onCancel={settings.cancel}
              />
            </>
          }
        >
          <div className="form-stack">
            <TextField
              label="Subject"
              autoComplete="off"
              readOnly={reason !== undefined}
              error={form.formState.errors[template.subject]?.message}
              {...form.register(template.subject, {
                validate: (value) => problemIn(subjectField, value ?? '') ?? true,
              })}
            />
            <MailBody template={template} field={fields[1]} settings={settings} />
            <SpamHints template={template} subject={subject} html={html} />
          </div>
        </Card>
      </Form>
    </>
  )
}

type SpamHintsProps = { template: MailTemplate; subject: string; html: string }

/** Why readers or their filters may not like a mail, while it is written. */
function SpamHints({ template, subject, html }: SpamHintsProps) {
  const hints = spamHints(template, useDeferredValue(subject), useDeferredValue(html))
  if (hints.length === 0)
    return (
      <p className="mail-fine">
        <Icon of={Check} size="xs" /> Nothing in it looks like spam.
      </p>
    )
  return (
    <ul className="mail-hints" aria-label="Possible spam issues">
      {hints.map((hint) => (
        <li key={hint} className="setting-warning">
          <Icon of={TriangleAlert} size="xs" />
          {hint}
        </li>
      ))}
    </ul>
  )
}
