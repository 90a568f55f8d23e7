import { Link } from '@tanstack/react-router'
import { api } from '#contract/api'
import type { Organization } from '#contract/organizations/organizations'
import { planNames, planRank } from '#contract/billing/plans'
import { useDenials } from '../../../session/organization/permissions.ts'
import type { WantedPlan } from '../../../session/organization/wanted-plan.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'

type Props = { organization: Pick<Organization, 'slug' | 'name' | 'plan'>; wanted: WantedPlan }

/** For who comes for a plan that is above the organization's: a plan belongs to the organization, not to a project. */
export function PlanFirst({ organization: { slug, name, plan }, wanted }: Props) {
  const reason = useDenials({ organizationSlug: slug })(api.billing.changeSubscription)
  if (planRank(wanted) <= planRank(plan.id)) return null
  const words = `Change to ${planNames[wanted]}`
  return (
    <Alert
      variant="info"
      title={`${name} is on the ${plan.name} plan`}
      action={
        reason === undefined ? (
          <Link className="btn" to="/org/$slug/billing" params={{ slug }} search={{ plan: wanted }}>
            {words}
          </Link>
        ) : (
          <Button disabledReason={reason}>{words}</Button>
        )
      }
    >
      The plan belongs to the organization and applies to all its projects. Change it first, or
      continue with the plan it has.
    </Alert>
  )
}
