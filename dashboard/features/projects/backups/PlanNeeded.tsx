import { Link } from '@tanstack/react-router'
import { History } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOrganization } from '../../../session/organization/organizations.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'

type Props = {
  slug: string
  title: string
  /** What a plan that has it gives. */
  children: ReactNode
}

/** What organizations on Free see in the place of what their plan does not have. */
export function PlanNeeded({ slug, title, children }: Props) {
  const { name, plan } = useOrganization(slug)
  return (
    <div className="card">
      <EmptyState
        icon={History}
        title={title}
        action={
          <Link className="btn pri" to="/org/$slug/billing" params={{ slug }}>
            See plans
          </Link>
        }
      >
        {name} is on the {plan.name} plan. {children}
      </EmptyState>
    </div>
  )
}
