import { Link } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { PageHead } from '../../ui/PageHead.tsx'

/** What organizations below Team see in the log's place. */
export function Upsell({ slug, plan }: { slug: string; plan: string }) {
  return (
    <Page>
      <PageHead title="Audit log" help="What was changed in this organization, and by whom." />
      <div className="card">
        <EmptyState
          icon={ScrollText}
          title="The audit log is part of the Team plan"
          action={
            <Link className="btn pri" to="/org/$slug/billing" params={{ slug }}>
              See plans
            </Link>
          }
        >
          This organization is on {plan}. Changes are recorded all the same: after an upgrade the
          last 28 days are here to read, 90 on Enterprise.
        </EmptyState>
      </div>
    </Page>
  )
}
