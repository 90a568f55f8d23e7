import { useForm, useWatch } from 'react-hook-form'
import { api } from '#contract/api'
import type { Organization } from '#contract/organizations/organizations'
import { useDenials } from '../../../session/organization/permissions.ts'
import { kinds, sizes } from '../../../session/organization/organization-choices.ts'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { SelectField } from '../../../ui/controls/SelectField.tsx'
import { SaveCancel } from '../../../ui/controls/SaveCancel.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { useUpdate } from './use-update.ts'

type Values = {
  name: string
  kind: Organization['kind']
  size: NonNullable<Organization['size']>
}

/** Name, kind, and of a company its size. */
export function DetailsCard({ organization }: { organization: Organization }) {
  const { slug, name, kind: savedKind, size: savedSize } = organization
  const reason = useDenials({ organizationSlug: slug })(api.organizations.update)
  const { register, control, handleSubmit, reset, setValue, formState } = useForm<Values>({
    values: { name, kind: savedKind, size: savedSize ?? '1' },
  })
  const [kind, size] = useWatch({ control, name: ['kind', 'size'] })
  const save = useUpdate('Details saved')
  const { errors, isDirty } = formState
  return (
    <Form
      error={save.error?.message}
      pending={save.isPending}
      onSubmit={handleSubmit((values) =>
        save.mutate({
          slug,
          name: values.name,
          kind: values.kind,
          size: values.kind === 'COMPANY' ? values.size : null,
        }),
      )}
      className="form-stack"
    >
      <Card
        title="Details"
        footer={
          <SaveCancel
            dirty={isDirty}
            pending={save.isPending}
            reason={reason}
            onCancel={() => reset()}
          />
        }
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
      </Card>
    </Form>
  )
}
