import { Link } from '@tanstack/react-router'
import { ArrowLeft, Check, TriangleAlert } from 'lucide-react'
import { useState, useDeferredValue } from 'react'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Controller } from 'react-hook-form'
import { authConfig } from '#contract/auth/auth-config'
import { settingOf } from '#contract/auth/auth-config-keys'
import { UnsavedGate } from '../../../../session/identity/unsaved.tsx'
import { useWindowName } from '../../../../session/window-name.ts'
import { Card } from '../../../../ui/Card.tsx'
import { Form, SaveCancel } from '../../../../ui/controls/Form.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { Page, PageHead } from '../../../../ui/Page.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import type { SettingField } from '../setting-field.ts'
import { problemIn } from '../settings-form.ts'
import { useSettings, type SettingsForm } from '../use-settings.ts'
import { queryClient, useCall } from '../../../../api/client.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog } from '../../../../ui/floats/Dialog.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { authConfigQuery } from '../queries.ts'
import { CodeField } from '../../../../ui/controls/CodeField.tsx'
import type { CodeBox } from '../../../../ui/code/code-box.ts'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { Tooltip } from '../../../../ui/floats/Tooltip.tsx'
import { mailVariables, previewOf, written, type MailTemplate } from './mail-kinds.ts'
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

type ResetMailProps = { projectRef: string; template: MailTemplate; reason: string | undefined }

/** Takes the built-in texts of a mail back. */
function ResetMail({ projectRef, template, reason }: ResetMailProps) {
  const { title, subject, content } = template
  const { queryKey } = authConfigQuery(projectRef)
  const { data: config } = useSuspenseQuery(authConfigQuery(projectRef))
  const [asking, setAsking] = useState(false)
  const reset = useCall(authConfig.update, {
    onSuccess: (saved) => {
      queryClient.setQueryData(queryKey, saved)
      setAsking(false)
      toast.success(`${title} has its default texts`)
    },
  })
  if ([subject, content].every((key) => config[key] === settingOf(key).default)) return null
  return (
    <>
      <Button size="form" disabledReason={reason} onClick={() => setAsking(true)}>
        Reset to default
      </Button>
      {/* A dialog that is a form would submit the form that this is in, too. */}
      <Dialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Reset to the default texts?"
        footer={
          <>
            <Button size="form" onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button
              size="form"
              variant="danger"
              busy={reset.isPending}
              onClick={() => reset.mutate({ ref: projectRef, [subject]: null, [content]: null })}
            >
              Reset
            </Button>
          </>
        }
      >
        <p>This replaces the subject and body of this email. Your text is lost.</p>
        {reset.error && (
          <p className="err" role="alert">
            {reset.error.message}
          </p>
        )}
      </Dialog>
    </>
  )
}

type MailBodyProps = { template: MailTemplate; field: SettingField; settings: SettingsForm }

/** The body of a mail: its source with what can be put in, or what a reader sees. */
function MailBody({ template, field, settings }: MailBodyProps) {
  const { form, values, reason } = settings
  const [view, setView] = useState<'source' | 'preview'>('source')
  const [box, setBox] = useState<CodeBox>()
  const html = String(values[field.key])
  const locked = reason !== undefined
  const insert = (name: string) => {
    if (box) return box.insert(written(name), '</body>')
    // Where the editor could not be loaded, at the end.
    return form.setValue(field.key, html + written(name), { shouldDirty: true })
  }
  return (
    <div className="mail-body">
      <div className="mail-views">
        <span className="mail-label">Body</span>
        <Segmented
          label="Body view"
          options={[
            { value: 'source', label: 'Source' },
            { value: 'preview', label: 'Preview' },
          ]}
          value={view}
          onChange={setView}
        />
      </div>
      {view === 'preview' ? (
        // Nothing in it runs, and nothing of it reaches this page.
        <iframe
          className="mail-preview"
          title="Email preview"
          sandbox=""
          srcDoc={previewOf(html)}
        />
      ) : (
        <>
          <Controller
            control={form.control}
            name={field.key}
            rules={{ validate: (value) => problemIn(field, value ?? '') ?? true }}
            render={({ field: { value, onChange } }) => (
              <CodeField
                label="HTML"
                language="html"
                isProgram
                lines={[14, 28]}
                readOnly={locked}
                value={String(value)}
                error={form.formState.errors[field.key]?.message}
                onValue={onChange}
                onBox={setBox}
              />
            )}
          />
          {!locked && (
            <fieldset className="mail-variables">
              <legend>Insert</legend>
              {template.variables.map((name) => (
                <Tooltip key={name} text={mailVariables[name].help}>
                  <button type="button" className="mail-variable mono" onClick={() => insert(name)}>
                    {written(name)}
                  </button>
                </Tooltip>
              ))}
            </fieldset>
          )}
        </>
      )}
    </div>
  )
}
