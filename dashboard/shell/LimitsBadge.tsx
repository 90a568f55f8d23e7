import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usage as api } from '#contract/billing/usage'
import { organizationsQuery } from '../session/organization/organizations.ts'
import { useDenials } from '../session/organization/permissions.ts'
import { Badge } from '../ui/text/Badge.tsx'

/** Beside the place of an organization that uses more than its plan includes; it leads to what uses that. */
export function LimitsBadge({ slug }: { slug: string }) {
  const { data: organizations } = useSuspenseQuery(organizationsQuery)
  const denied = useDenials({ organizationSlug: slug })(api.get)
  const exceeds = organizations.find((one) => one.slug === slug)?.exceeds_usage_limits
  if (!exceeds) return null
  const badge = <Badge tone="danger">Exceeding usage limits</Badge>
  return denied === undefined ? (
    <Link className="limits-badge" to="/org/$slug/usage" params={{ slug }}>
      {badge}
    </Link>
  ) : (
    <span className="limits-badge">{badge}</span>
  )
}
