import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '#contract/api'
import { planNames, planRank } from '#contract/billing/plans'
import { useDenials } from '../../../session/organization/permissions.ts'
import { tierOfWanted, type WantedPlan } from '../../../session/organization/wanted-plan.ts'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { ChangePlanPanel } from './ChangePlanPanel.tsx'
import { PlanTable } from './PlanTable.tsx'
import { subscriptionQuery } from './queries.ts'

type Props = {
  slug: string
  /** The plan whose panel is open. */
  wanted: WantedPlan | undefined
  onWanted: (plan: WantedPlan | undefined) => void
}

/** The plans side by side, and the way from one to another. */
export function PlanSection({ slug, wanted, onWanted }: Props) {
  const { data: subscription } = useSuspenseQuery(subscriptionQuery(slug))
  const reason = useDenials({ organizationSlug: slug })(api.billing.changeSubscription)
  const { plan, scheduled_plan_change: scheduled } = subscription
  // A link can ask for what is there already, or what the reader may not do: the table says so.
  const open = wanted !== undefined && wanted !== plan.id && plan.id !== 'enterprise' && !reason
  return (
    <section id="plan">
      <h2 className="sh">Compare plans</h2>
      <PlanTable
        current={plan.id}
        badge={(id) => {
          if (id === plan.id) return <Badge tone="solid">Current</Badge>
          return scheduled?.target_plan === id && <Badge tone="info">Planned</Badge>
        }}
        action={(id) => {
          if (id === plan.id) {
            return (
              <Button size="form" disabled>
                Your plan
              </Button>
            )
          }
          if (id === 'enterprise' || plan.id === 'enterprise') {
            return (
              <Link
                to="/support/new"
                search={{ category: 'Sales', organization: slug, subject: `Plan of ${slug}` }}
                className="btn f"
              >
                Contact us
              </Link>
            )
          }
          const up = planRank(id) > planRank(plan.id)
          const next = planRank(id) === planRank(plan.id) + 1
          return (
            <Button
              size="form"
              variant={next ? 'primary' : undefined}
              disabledReason={
                reason ?? (scheduled?.target_plan === id && 'This change is already scheduled')
              }
              onClick={() => onWanted(id)}
            >
              {up ? `Upgrade to ${planNames[id]}` : `Move to ${planNames[id]}`}
            </Button>
          )
        }}
      />
      {open && (
        <ChangePlanPanel
          slug={slug}
          tier={tierOfWanted(wanted)}
          onClose={() => onWanted(undefined)}
        />
      )}
    </section>
  )
}
