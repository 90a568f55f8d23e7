import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { organizations as api } from '#contract/organizations/organizations'
import type { Organization } from '#contract/organizations/organizations'
import { aiOptInLevel, tagsOfLevel, type AiOptInLevel } from '#contract/organizations/ai-opt-in'
import { useOrganization, organizationsQuery } from '../../../session/organization/organizations.ts'
import { Card } from '../../../ui/Card.tsx'
import { DangerCard } from '../../../ui/DangerCard.tsx'
import { FormCard } from '../../../ui/controls/FormCard.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { queryClient, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { kinds, sizes } from '../../../session/organization/organization-choices.ts'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
import { useUpdate } from './queries.ts'

type Props = { slug: string; onDeleted: () => Promise<void> }

/** /org/{slug}/general */
export function GeneralPage({ slug, onDeleted }: Props) {
  const organization = useOrganization(slug)
  return (
    <Page width="form">
      <PageHead title="General" help="Settings of this organization." />
      <div className="sections">
        <DetailsCard organization={organization} />
        <Card title="Identity">
          <div className="labelled">
            <span>
              Slug{' '}
              <span className="muted">Never changes, because links, scripts and tools use it.</span>
            </span>
            <CopyText text={organization.slug} what="slug" />
          </div>
        </Card>
        <AiCard organization={organization} />
        <DeleteCard organization={organization} onDeleted={onDeleted} />
      </div>
    </Page>
  )
}

type DeleteCardProps = { organization: Organization; onDeleted: () => Promise<void> }

function DeleteCard({ organization, onDeleted }: DeleteCardProps) {
  const { slug, name, project_count: projects } = organization
  const off = useDisabledFeatures()
  const why = useDenials({ organizationSlug: slug })
  const [asking, setAsking] = useState(false)
  const remove = useCall(api.remove, {
    onSuccess: async () => {
      toast.success(`${name} is deleted`)
      // Elsewhere first: the page cannot stay where its organization is gone.
      await onDeleted()
      queryClient.setQueryData(organizationsQuery.queryKey, (list) =>
        list?.filter((one) => one.id !== organization.id),
      )
    },
  })
  const reason =
    (off('organizations:delete') ? 'Deleting organizations is switched off here' : undefined) ??
    why(api.remove) ??
    (projects > 0 ? 'Delete or transfer its projects first' : undefined)
  return (
    <DangerCard
      title="Delete organization"
      about="Its members, settings and apps are removed. This cannot be undone. It must have no projects and no unpaid invoices."
      reason={reason}
      onAsk={() => setAsking(true)}
    >
      <ConfirmDialog
        open={asking}
        onClose={() => {
          setAsking(false)
          remove.reset()
        }}
        title={`Delete ${name}`}
        verb="Delete organization"
        typeName={slug}
        error={remove.error?.message}
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ slug })}
      >
        <p>This deletes the organization. It cannot be undone.</p>
        <ul className="lost">
          <li>Its members and their roles</li>
          <li>Its plan and settings</li>
          <li>The apps it has published: they stop working everywhere</li>
        </ul>
      </ConfirmDialog>
    </DangerCard>
  )
}

type Values = {
  name: string
  kind: Organization['kind']
  size: NonNullable<Organization['size']>
}

/** Name, kind, and of a company its size. */
function DetailsCard({ organization }: { organization: Organization }) {
  const { slug, name, kind: savedKind, size: savedSize } = organization
  const reason = useDenials({ organizationSlug: slug })(api.update)
  const { register, control, handleSubmit, reset, setValue, formState } = useForm<Values>({
    values: { name, kind: savedKind, size: savedSize ?? '1' },
  })
  const [kind, size] = useWatch({ control, name: ['kind', 'size'] })
  const save = useUpdate('Details saved')
  const { errors, isDirty } = formState
  return (
    <FormCard
      title="Details"
      error={save.error?.message}
      dirty={isDirty}
      pending={save.isPending}
      reason={reason}
      onSubmit={handleSubmit((values) =>
        save.mutate({
          slug,
          name: values.name,
          kind: values.kind,
          size: values.kind === 'COMPANY' ? values.size : null,
        }),
      )}
      onCancel={() => reset()}
    >
      <div className="form-stack">
        <TextField
          label="Name"
          autoComplete="organization"
          readOnly={reason !== undefined}
          error={errors.name?.message}
          {...register('name', {
            validate: (text) => text.trim().length > 0 || 'Give the organization a name',
            maxLength: { value: 64, message: 'A name has at most 64 characters' },
          })}
        />
        <SelectField
          label="Type"
          help="For statistics only; it changes nothing."
          options={kinds}
          value={kind}
          onChange={(next) => setValue('kind', next, { shouldDirty: true })}
        />
        {kind === 'COMPANY' && (
          <SelectField
            label="Company size"
            options={sizes}
            value={size}
            onChange={(next) => setValue('size', next, { shouldDirty: true })}
          />
        )}
      </div>
    </FormCard>
  )
}

const levels: { level: AiOptInLevel; label: string; help: string }[] = [
  {
    level: 'disabled',
    label: 'Nothing',
    help: 'The model sees what people type to the assistant, and nothing else.',
  },
  {
    level: 'schema',
    label: 'Schema',
    help: 'Also names and types of tables, columns and functions.',
  },
  {
    level: 'schema_and_log',
    label: 'Schema and logs',
    help: 'Also log lines, which may contain request data.',
  },
  {
    level: 'schema_and_log_and_data',
    label: 'Schema, logs and data',
    help: 'Also rows of tables.',
  },
]

/** What of its projects an organization lets the assistant's model see. */
function AiCard({ organization }: { organization: Organization }) {
  const { slug, opt_in_tags: tags } = organization
  const saved = aiOptInLevel(tags)
  const [chosen, setChosen] = useState<AiOptInLevel>()
  const off = useDisabledFeatures()
  const level = chosen ?? saved
  const reason = useDenials({ organizationSlug: slug })(api.update)
  const save = useUpdate('Assistant setting saved', () => setChosen(undefined))
  return (
    <FormCard
      title="Assistant"
      error={save.error?.message}
      dirty={level !== saved}
      pending={save.isPending}
      reason={reason}
      onSubmit={() => save.mutate({ slug, opt_in_tags: [...tagsOfLevel[level]] })}
      onCancel={() => setChosen(undefined)}
    >
      <RadioGroup
        label="What the assistant may send to its model"
        help="Applies to every project of this organization from the next message on."
      >
        {levels
          .filter((one) => one.level === saved || !off(`ai:opt_in_level_${one.level}`))
          .map((one) => (
            <Radio
              key={one.level}
              name="ai-opt-in"
              label={one.label}
              help={one.help}
              disabled={reason !== undefined}
              checked={level === one.level}
              onChange={() => setChosen(one.level)}
            />
          ))}
      </RadioGroup>
    </FormCard>
  )
}
