import { useSuspenseQuery } from '@tanstack/react-query'
import { api } from '#contract/api'
import { formatCents } from '#contract/billing/money'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { dayOf } from './dates.ts'
import { InvoiceLines } from './InvoiceLines.tsx'
import { forgetBilling, subscriptionQuery, upcomingQuery } from './queries.ts'

/** What the next invoice will be, what it comes from, and the spend cap. */
export function NowCard({ slug }: { slug: string }) {
  const { data: subscription } = useSuspenseQuery(subscriptionQuery(slug))
  const { data: upcoming } = useSuspenseQuery(upcomingQuery(slug))
  const reason = useDenials({ organizationSlug: slug })(api.billing.changeSubscription)
  const change = useCall(api.billing.changeSubscription, {
    onSuccess: async ({ usage_billing_enabled }) => {
      await forgetBilling()
      toast.success(usage_billing_enabled ? 'Spend cap is off' : 'Spend cap is on')
    },
    onError: (error) => toast.error(error.message),
  })
  const pro = subscription.plan.id === 'pro'
  const capped = !subscription.usage_billing_enabled
  return (
    <div className="card now" id="upcoming">
      <div>
        <p className="med">{subscription.plan.name} plan</p>
        <p className="t12 muted">Due {dayOf(upcoming.period_end)}</p>
        <p className="big tn">{formatCents(upcoming.amount_due)}</p>
        <p className="t12 muted">
          {upcoming.projected_total === upcoming.subtotal
            ? howPaid(subscription.payment_method_type)
            : `${formatCents(upcoming.subtotal)} so far; the amount above is a projection`}
        </p>
      </div>
      <InvoiceLines
        lines={upcoming.lines}
        label="Upcoming invoice"
        credit={Math.max(0, upcoming.projected_total - upcoming.amount_due)}
      />
      <div id="cost">
        {pro ? (
          <Switch
            label="Spend cap"
            help={
              capped
                ? 'On. Use above the plan stops instead of being charged. Compute and add-ons are still charged.'
                : 'Off. Use above the plan is charged. Turn it on to stop at the included amounts instead.'
            }
            checked={capped}
            disabled={reason !== undefined || change.isPending}
            onChange={(on) => change.mutate({ slug, tier: on ? 'tier_pro' : 'tier_payg' })}
          />
        ) : (
          <>
            <b className="med">Spend cap</b>
            <p className="t12 muted">
              {subscription.plan.id === 'free'
                ? 'The Free plan is never charged; use above it stops.'
                : 'Only the Pro plan has one. Use above this plan is charged.'}
            </p>
          </>
        )}
        {pro && reason && <p className="t12 muted">{reason}</p>}
      </div>
    </div>
  )
}

const howPaid = (type: 'card' | 'invoice' | 'none') =>
  ({ card: 'Paid by card', invoice: 'Paid by invoice', none: 'No payment method yet' })[type]
