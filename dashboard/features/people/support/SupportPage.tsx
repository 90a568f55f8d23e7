import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Link } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { support as api } from '#contract/people/support'
import { severities, supportCategories, type SupportCategory } from '#contract/people/support'
import { useCall } from '../../../api/client.ts'
import { organizationsQuery } from '../../../session/organization/organizations.ts'
import { profileQuery, useDisabledFeatures } from '../../../session/identity/profile.ts'
import { organizationProjectsQuery } from '../../../session/project/project-lists.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { TextField, TextArea } from '../../../ui/controls/TextField.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { AttachmentField, useAttachments } from './AttachmentField.tsx'
import './support.css'

/** What a link to the form has filled in (requirements §2, /support/new). */
export type SupportSearch = {
  category?: SupportCategory | undefined
  sid?: string | undefined
  subject?: string | undefined
  message?: string | undefined
  organization?: string | undefined
  project?: string | undefined
}

const none = '-'
const categories = Object.entries(supportCategories).map(([value, label]) => ({
  // The keys of a constant table are its type.
  value: value as SupportCategory,
  label,
}))
const choices = severities.map((value) => ({ value, label: value }))

/** /support/new: a request for help to whoever runs the platform. */
export function SupportPage({ search }: { search: SupportSearch }) {
  const { data: profile } = useSuspenseQuery(profileQuery)
  const { data: organizations } = useSuspenseQuery(organizationsQuery)
  const off = useDisabledFeatures()
  const attachments = useAttachments()
  const [sent, setSent] = useState<number>()
  const { register, control, handleSubmit, setValue, reset, formState } = useForm({
    defaultValues: {
      category: search.category ?? ('Problem' as SupportCategory),
      severity: 'Normal' as (typeof severities)[number],
      organization: organizations.some(({ slug }) => slug === search.organization)
        ? (search.organization ?? none)
        : organizations.length === 1
          ? (organizations[0]?.slug ?? none)
          : none,
      project: search.project ?? none,
      subject: search.subject?.slice(0, 200) ?? '',
      message: search.message?.slice(0, 20_000) ?? '',
      library: '',
      access: false,
    },
  })
  const [category, severity, organization, project, access] = useWatch({
    control,
    name: ['category', 'severity', 'organization', 'project', 'access'],
  })
  const projects = useInfiniteQuery({
    ...organizationProjectsQuery(organization),
    enabled: organization !== none,
  })
  const send = useCall(api.send, {
    onSuccess: ({ id }) => {
      setSent(id)
      attachments.clear()
      reset()
    },
  })
  const submit = handleSubmit((values) =>
    send.mutate({
      category: values.category,
      severity: values.severity,
      subject: values.subject,
      message: values.message,
      allow_access: values.access,
      attachment_ids: attachments.files.map(({ id }) => id),
      ...(values.organization === none ? {} : { organization_slug: values.organization }),
      ...(values.project === none ? {} : { project_ref: values.project }),
      ...(values.library ? { library: values.library } : {}),
      ...(search.sid ? { error_report_id: search.sid } : {}),
    }),
  )
  if (sent !== undefined)
    return <Sent id={sent} email={profile.primary_email} onAgain={() => setSent(undefined)} />
  return (
    <Page width="form">
      <PageHead title="Ask for help" help={`We will answer to ${profile.primary_email}.`} />
      <Form
        error={send.error?.message}
        pending={send.isPending}
        onSubmit={submit}
        className="form-stack"
      >
        <Card
          footer={
            <Button
              type="submit"
              size="form"
              variant="primary"
              busy={send.isPending}
              disabledReason={attachments.busy ? 'A file is still uploading' : undefined}
            >
              Send request
            </Button>
          }
        >
          <div className="form-stack">
            <div className="support-pair">
              <SelectField
                label="What is it about?"
                options={categories}
                value={category}
                onChange={(next) => setValue('category', next)}
              />
              <SelectField
                label="Severity"
                options={choices}
                value={severity}
                onChange={(next) => setValue('severity', next)}
              />
            </div>
            <div className="support-pair">
              <SelectField
                label="Organization"
                options={[
                  { value: none, label: 'None' },
                  ...organizations.map(({ slug, name }) => ({ value: slug, label: name })),
                ]}
                value={organization}
                onChange={(next) => {
                  setValue('organization', next)
                  setValue('project', none)
                }}
              />
              <SelectField
                label="Project"
                options={[
                  { value: none, label: 'None' },
                  ...(projects.data?.pages[0]?.projects ?? []).map(({ ref, name }) => ({
                    value: ref,
                    label: name,
                  })),
                ]}
                value={project}
                onChange={(next) => setValue('project', next)}
              />
            </div>
            <TextField
              label="Subject"
              autoComplete="off"
              error={formState.errors.subject?.message}
              {...register('subject', {
                validate: (text) =>
                  (text.trim().length >= 3 && text.trim().length <= 200) ||
                  'A subject has 3 to 200 characters',
              })}
            />
            {!off('support:show_client_libraries') && (
              <TextField
                label="Client library"
                autoComplete="off"
                help="If one is involved, with its version."
                error={formState.errors.library?.message}
                {...register('library', {
                  maxLength: { value: 60, message: 'At most 60 characters' },
                })}
              />
            )}
            <TextArea
              label="What happened?"
              rows={8}
              help="What you did, what you expected, and what happened instead. Leave out passwords and keys."
              error={formState.errors.message?.message}
              {...register('message', {
                validate: (text) => text.trim().length > 0 || 'Say what it is about',
                maxLength: { value: 20_000, message: 'At most 20,000 characters' },
              })}
            />
            <AttachmentField attachments={attachments} />
            <Switch
              label="Allow support to access the project"
              help="Its settings and its tables, for this request only."
              checked={access}
              onChange={(next) => setValue('access', next)}
            />
          </div>
        </Card>
      </Form>
    </Page>
  )
}

type SentProps = { id: number; email: string; onAgain: () => void }

function Sent({ id, email, onAgain }: SentProps) {
  return (
    <Page width="form">
      <PageHead title="Request sent" />
      <div className="card">
        <EmptyState
          icon={MailCheck}
          title={`Request #${id} is on its way`}
          action={
            <span className="acts">
              <Button onClick={onAgain}>Send another</Button>
              <Link to="/organizations" className="btn pri">
                Back to the dashboard
              </Link>
            </span>
          }
        >
          We will reply by email to {email}.
        </EmptyState>
      </div>
    </Page>
  )
}
