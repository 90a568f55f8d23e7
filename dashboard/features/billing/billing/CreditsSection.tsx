import { useSuspenseQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { api } from '#contract/api'
import { topUpBounds } from '#contract/billing/billing'
import { formatCents } from '#contract/billing/money'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { centsOf } from './cents.ts'
import { customerQuery, forgetBilling } from './queries.ts'

/** Money paid ahead: the next invoices use it up. */
export function CreditsSection({ slug }: { slug: string }) {
  const { data: customer } = useSuspenseQuery(customerQuery(slug))
  const reason = useDenials({ organizationSlug: slug })(api.billing.creditsTopUp)
  const { register, handleSubmit, reset, formState } = useForm({ defaultValues: { amount: '' } })
  const topUp = useCall(api.billing.creditsTopUp, {
    onSuccess: async ({ number }) => {
      reset()
      await forgetBilling()
      toast.success(`Invoice ${number ?? ''} is created; the credit is added when it is paid`)
    },
  })
  return (
    <section id="credits">
      <Form
        error={topUp.error?.message}
        pending={topUp.isPending}
        onSubmit={handleSubmit(({ amount }) =>
          topUp.mutate({ slug, amount: centsOf(amount) ?? 0 }),
        )}
      >
        <Card
          title="Credits"
          end={<span className="tn">{formatCents(customer.balance)}</span>}
          footer={
            <Button type="submit" size="form" busy={topUp.isPending} disabledReason={reason}>
              Top up
            </Button>
          }
        >
          <TextField
            label="Amount in US dollars"
            inputMode="decimal"
            autoComplete="off"
            readOnly={reason !== undefined}
            placeholder="100.00"
            help="The next invoices use up your credits. Credits are not refunded."
            error={formState.errors.amount?.message}
            {...register('amount', {
              validate: (text) => {
                const cents = centsOf(text)
                if (cents === undefined) return 'Enter an amount such as 100 or 99.50'
                return (
                  (cents >= topUpBounds.least && cents <= topUpBounds.most) ||
                  `Between ${formatCents(topUpBounds.least)} and ${formatCents(topUpBounds.most)}`
                )
              },
            })}
          />
        </Card>
      </Form>
    </section>
  )
}
