import { useSuspenseQuery } from '@tanstack/react-query'
import { api } from '#contract/api'
import { planNames } from '#contract/billing/plans'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { dayOf } from './dates.ts'
import { forgetBilling, subscriptionQuery } from './queries.ts'

/** That the plan changes at the end of the period, and the way to keep the present one. */
export function PlannedChange({ slug }: { slug: string }) {
  const { data: subscription } = useSuspenseQuery(subscriptionQuery(slug))
  const reason = useDenials({ organizationSlug: slug })(api.billing.changeSubscription)
  const { plan, scheduled_plan_change: scheduled } = subscription
  const stay = useCall(api.billing.changeSubscription, {
    onSuccess: async () => {
      await forgetBilling()
      toast.success(`The organization stays on ${plan.name}`)
    },
    onError: (error) => toast.error(error.message),
  })
  if (!scheduled) return null
  return (
    <div className="planned">
      <Alert
        variant="info"
        title={`This organization moves to ${planNames[scheduled.target_plan]} on ${dayOf(scheduled.at)}`}
        action={
          <Button
            busy={stay.isPending}
            disabledReason={reason}
            onClick={() => {
              // Enterprise has no scheduled change: it is agreed, not subscribed to.
              if (subscription.tier !== 'tier_enterprise') {
                stay.mutate({ slug, tier: subscription.tier })
              }
            }}
          >
            Stay on {plan.name}
          </Button>
        }
      />
    </div>
  )
}
