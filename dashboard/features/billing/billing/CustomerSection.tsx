import { useSuspenseQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { billingCustomer } from '#contract/billing/billing-customer'
import { queryClient, useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Card } from '../../../ui/Card.tsx'
import { Form, SaveCancel } from '../../../ui/controls/Form.tsx'
import { TextField, TextArea } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { customerQuery } from './queries.ts'

/** The addresses of a text area: one a line, or with commas; each once. */
const listOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,;]/)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
]

/** Good enough to catch slips; the server decides. */
const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)

/** Where invoices are sent. */
export function CustomerSection({ slug }: { slug: string }) {
  const { data: customer } = useSuspenseQuery(customerQuery(slug))
  const reason = useDenials({ organizationSlug: slug })(billingCustomer.updateCustomer)
  const { register, handleSubmit, reset, formState } = useForm({
    values: { email: customer.email ?? '', more: customer.additional_emails.join('\n') },
  })
  const { errors, isDirty } = formState
  const save = useCall(billingCustomer.updateCustomer, {
    onSuccess: (saved) => {
      queryClient.setQueryData(customerQuery(slug).queryKey, saved)
      toast.success('Billing email saved')
    },
  })
  return (
    <section id="email">
      <Form
        error={save.error?.message}
        pending={save.isPending}
        onSubmit={handleSubmit(({ email, more }) =>
          save.mutate({ slug, email: email.trim(), additional_emails: listOf(more) }),
        )}
      >
        <Card
          title="Billing email"
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
              label="Email"
              type="email"
              autoComplete="email"
              readOnly={reason !== undefined}
              error={errors.email?.message}
              {...register('email', {
                validate: (text) => isEmail(text.trim()) || 'Enter an email address',
              })}
            />
            <TextArea
              label="More recipients"
              help="One address per line, up to 20."
              readOnly={reason !== undefined}
              error={errors.more?.message}
              {...register('more', {
                validate: (text) => {
                  const all = listOf(text)
                  const wrong = all.find((one) => !isEmail(one))
                  if (wrong) return `${wrong} is not an email address`
                  return all.length <= 20 || 'At most 20 addresses'
                },
              })}
            />
          </div>
        </Card>
      </Form>
    </section>
  )
}
