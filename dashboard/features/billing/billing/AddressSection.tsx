import { useSuspenseQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useForm, useWatch } from 'react-hook-form'
import { api } from '#contract/api'
import { taxIdTypes } from '#contract/billing/tax-ids'
import { forget, queryClient, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Form, SaveCancel } from '../../../ui/controls/Form.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { SelectField } from '../../../ui/controls/Select.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { countries } from './countries.ts'
import { customerQuery, taxIdsQuery } from './queries.ts'

/** What stands on invoices: the name, the address and the tax numbers. */
export function AddressSection({ slug }: { slug: string }) {
  const { data: customer } = useSuspenseQuery(customerQuery(slug))
  const reason = useDenials({ organizationSlug: slug })(api.billingCustomer.updateCustomer)
  const { register, control, handleSubmit, reset, setValue, formState } = useForm({
    values: {
      name: customer.name ?? '',
      line1: customer.address?.line1 ?? '',
      line2: customer.address?.line2 ?? '',
      city: customer.address?.city ?? '',
      state: customer.address?.state ?? '',
      postal_code: customer.address?.postal_code ?? '',
      country: customer.address?.country ?? '',
    },
  })
  const { errors, isDirty } = formState
  const country = useWatch({ control, name: 'country' })
  const save = useCall(api.billingCustomer.updateCustomer, {
    onSuccess: async (saved) => {
      queryClient.setQueryData(customerQuery(slug).queryKey, saved)
      toast.success('Billing address saved')
      await forget(api.organizations.list)
    },
  })
  const submit = handleSubmit(({ name, line2, state, ...address }) =>
    save.mutate({
      slug,
      name: name.trim() || null,
      address: { ...address, line2: line2 || null, state: state || null },
    }),
  )
  const needed = (what: string) => ({
    validate: (text: string) => text.trim() !== '' || `${what} is missing`,
    maxLength: { value: 200, message: 'At most 200 characters' },
  })
  // The select is no input of the form's own: it is told what a right choice is.
  register('country', needed('The country'))
  const readOnly = reason !== undefined
  return (
    <section id="address">
      <Form error={save.error?.message} pending={save.isPending} onSubmit={submit}>
        <Card
          title="Billing address"
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
              label="Name on invoices"
              autoComplete="organization"
              readOnly={readOnly}
              {...register('name', {
                maxLength: { value: 200, message: 'At most 200 characters' },
              })}
            />
            <TextField
              label="Address"
              autoComplete="address-line1"
              readOnly={readOnly}
              error={errors.line1?.message}
              {...register('line1', needed('The address'))}
            />
            <TextField
              label="Second line"
              autoComplete="address-line2"
              readOnly={readOnly}
              {...register('line2')}
            />
            <div className="billing-pair">
              <TextField
                label="Postal code"
                autoComplete="postal-code"
                readOnly={readOnly}
                error={errors.postal_code?.message}
                {...register('postal_code', needed('The postal code'))}
              />
              <TextField
                label="City"
                autoComplete="address-level2"
                readOnly={readOnly}
                error={errors.city?.message}
                {...register('city', needed('The city'))}
              />
            </div>
            <div className="billing-pair">
              <TextField
                label="State or region"
                autoComplete="address-level1"
                readOnly={readOnly}
                {...register('state')}
              />
              {readOnly ? (
                <TextField
                  label="Country"
                  readOnly
                  value={countries.find(({ value }) => value === country)?.label ?? ''}
                />
              ) : (
                <SelectField
                  label="Country"
                  options={countries}
                  value={country || undefined}
                  error={errors.country?.message}
                  onChange={(next) =>
                    setValue('country', next, { shouldDirty: true, shouldValidate: true })
                  }
                />
              )}
            </div>
          </div>
        </Card>
      </Form>
      <TaxIds slug={slug} />
    </section>
  )
}

const options = taxIdTypes.map(({ type, country, name }) => ({
  value: `${type} ${country}`,
  label: name,
}))

const nameOf = ({ type, country }: { type: string; country: string }) =>
  taxIdTypes.find((kind) => kind.type === type && kind.country === country)?.name ?? type

/** Tax numbers of a registered business; they stand on the next invoices. */
function TaxIds({ slug }: { slug: string }) {
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
