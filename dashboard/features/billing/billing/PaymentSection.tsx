import { useSuspenseQuery } from '@tanstack/react-query'
import { CreditCard, Trash2 } from 'lucide-react'
import { billing } from '#contract/billing/billing'
import { billingCustomer } from '#contract/billing/billing-customer'
import type { PaymentMethod } from '#contract/billing/billing-shapes'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { paymentsQuery, subscriptionQuery } from './queries.ts'

/** How invoices are paid: by cards where the operator takes them, else in words. */
export function PaymentSection({ slug }: { slug: string }) {
  const { data: subscription } = useSuspenseQuery(subscriptionQuery(slug))
  const { data: methods } = useSuspenseQuery(paymentsQuery(slug))
  const why = useDenials({ organizationSlug: slug })
  const options = {
    changes: [billingCustomer.payments, billing.subscription],
    onError: (error: Error) => toast.error(error.message),
  }
  const add = useCall(billingCustomer.paymentsSetupIntent, {
    onSuccess: ({ url }) => {
      if (url) location.assign(url)
    },
    onError: (error) => toast.error(error.message),
  })
  const choose = useCall(billingCustomer.paymentsSetDefault, options)
  const remove = useCall(billingCustomer.paymentsRemove, options)
  if (!subscription.accepts_cards) {
    return (
      <section id="payment">
        <h2 className="sh">Payment methods</h2>
        <Alert variant="neutral" icon={CreditCard} title="Invoices are paid by transfer">
          This platform does not accept cards. Pay each invoice as described on it. It is marked as
          paid here when the money arrives.
        </Alert>
      </section>
    )
  }
  return (
    <section id="payment">
      <div className="section-head">
        <h2 className="sh">Payment methods</h2>
        <Button
          busy={add.isPending}
          disabledReason={why(billingCustomer.paymentsSetupIntent)}
          onClick={() => add.mutate({ slug })}
        >
          Add a card
        </Button>
      </div>
      <div className="card">
        <Table<PaymentMethod>
          label="payment methods"
          rows={methods.data}
          keyOf={({ id }) => id}
          empty={
            <EmptyState icon={CreditCard} title="No cards yet">
              You enter a card on the payment provider’s page, never here.
            </EmptyState>
          }
          columns={[
            {
              id: 'card',
              head: 'Card',
              cell: ({ card, is_default }) => (
                <>
                  {card.brand} ending {card.last4} {is_default && <Badge>Default</Badge>}
                </>
              ),
            },
            {
              id: 'expires',
              head: 'Expires',
              cell: ({ card }) => `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`,
            },
            {
              id: 'actions',
              head: 'Actions',
              hideHead: true,
              width: '180px',
              cell: ({ id, is_default, card }) => (
                <span className="acts end">
                  {!is_default && (
                    <Button
                      busy={choose.isPending}
                      disabledReason={why(billingCustomer.paymentsSetDefault)}
                      onClick={() => choose.mutate({ slug, payment_method_id: id })}
                    >
                      Set as default
                    </Button>
                  )}
                  <IconButton
                    icon={Trash2}
                    label={`Remove the card ending ${card.last4}`}
                    disabledReason={why(billingCustomer.paymentsRemove)}
                    onClick={() => remove.mutate({ slug, card_id: id })}
                  />
                </span>
              ),
            },
          ]}
        />
      </div>
    </section>
  )
}
