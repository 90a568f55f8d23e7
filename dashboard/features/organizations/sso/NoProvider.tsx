import { Link } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { hasFeature } from '#contract/billing/plan-comparison'
import { sso as api } from '#contract/organizations/sso'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'

type Props = { slug: string; onBegin: () => void }

/** Nothing is set up: what it would be good for, and why not when the plan does not have it. */
export function NoProvider({ slug, onBegin }: Props) {
  const { plan } = useOrganization(slug)
  const reason = useDenials({ organizationSlug: slug })(api.create)
  const included = hasFeature(plan.id, 'security.sso')
  const planReason = included ? undefined : `The ${plan.name} plan does not include single sign-on`
  return (
    <>
      {!included && (
        <Alert
          variant="info"
          title="Single sign-on comes with the Team and Enterprise plans"
          action={
            <Link className="btn" to="/org/$slug/billing" params={{ slug }}>
              See plans
            </Link>
          }
        >
          This organization is on the {plan.name} plan.
        </Alert>
      )}
      <Card padded={false}>
        <EmptyState
          icon={KeyRound}
          title="Not set up"
          action={
            <Button
              variant={included ? 'primary' : 'secondary'}
              disabledReason={reason ?? planReason}
              onClick={onBegin}
            >
              Set up single sign-on
            </Button>
          }
        >
          Connect a SAML 2.0 or OpenID Connect provider, and everyone with an email at your domains
          signs in there.
        </EmptyState>
      </Card>
    </>
  )
}
