import { useSuspenseQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useForm, useWatch } from 'react-hook-form'
import { api } from '#contract/api'
import { taxIdTypes } from '#contract/billing/tax-ids'
import { forget, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { taxIdsQuery } from './queries.ts'

const options = taxIdTypes.map(({ type, country, name }) => ({
  value: `${type} ${country}`,
  label: name,
}))

const nameOf = ({ type, country }: { type: string; country: string }) =>
  taxIdTypes.find((kind) => kind.type === type && kind.country === country)?.name ?? type

/** Tax numbers of a registered business; they stand on the next invoices. */
export function TaxIds({ slug }: { slug: string }) {
  const { data: ids } = useSuspenseQuery(taxIdsQuery(slug))
  const why = useDenials({ organizationSlug: slug })
  const reason = why(api.billingCustomer.taxIdsAdd)
  const { register, control, handleSubmit, reset, setValue, formState } = useForm({
    defaultValues: { kind: '', value: '' },
  })
  const kind = useWatch({ control, name: 'kind' })
  const chosen = taxIdTypes.find(({ type, country }) => `${type} ${country}` === kind)
  const add = useCall(api.billingCustomer.taxIdsAdd, {
    onSuccess: async () => {
      reset()
      await forget(api.billingCustomer.taxIds)
    },
  })
  const remove = useCall(api.billingCustomer.taxIdsRemove, {
    onSuccess: () => forget(api.billingCustomer.taxIds),
    onError: (error) => toast.error(error.message),
  })
  return (
    <Form
      className="tax-ids"
      error={add.error?.message}
      pending={add.isPending}
      onSubmit={handleSubmit(({ value }) => {
        if (chosen) add.mutate({ slug, type: chosen.type, country: chosen.country, value })
      })}
    >
      <Card
        title="Tax numbers"
        footer={
          <Button
            type="submit"
            size="form"
            busy={add.isPending}
            disabledReason={reason ?? (chosen ? undefined : 'Choose the type of number first')}
          >
            Add tax number
          </Button>
        }
      >
        <div className="form-stack">
          {ids.data.length > 0 && (
            <ul className="tax-id-list">
              {ids.data.map((id) => (
                <li key={id.id}>
                  <span className="mono">{id.value}</span>
                  <span className="muted">{nameOf(id)}</span>
                  <span className="grow" />
                  <IconButton
                    icon={Trash2}
                    label={`Remove ${id.value}`}
                    disabledReason={why(api.billingCustomer.taxIdsRemove)}
                    onClick={() => remove.mutate({ slug, id: id.id })}
                  />
                </li>
              ))}
            </ul>
          )}
          {reason !== undefined && ids.data.length === 0 && (
            <p className="muted">No tax numbers yet.</p>
          )}
          {reason === undefined && (
            <div className="billing-pair">
              <SelectField
                label="Kind"
                options={options}
                value={kind || undefined}
                onChange={(next) => setValue('kind', next)}
              />
              <TextField
                label="Number"
                autoComplete="off"
                placeholder={chosen?.example}
                error={formState.errors.value?.message}
                {...register('value', {
                  validate: (text) =>
                    (chosen?.pattern.test(text.trim()) ?? true) ||
                    `It looks like ${chosen?.example ?? ''}`,
                })}
              />
            </div>
          )}
        </div>
      </Card>
    </Form>
  )
}
