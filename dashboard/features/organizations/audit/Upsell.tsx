import { Link } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { PageHead } from '../../../ui/PageHead.tsx'

/** What organizations below Team see in the log's place. */
export function Upsell({ slug, plan }: { slug: string; plan: string }) {
  return (
    <Page>
      <PageHead title="Audit log" help="Who changed what in this organization." />
      <div className="card">
        <EmptyState
          icon={ScrollText}
          title="The audit log is available on the Team plan"
          action={
            <Link className="btn pri" to="/org/$slug/billing" params={{ slug }}>
              See plans
            </Link>
          }
        >
          This organization is on {plan}. Changes are still recorded: after an upgrade, you can read
          the last 28 days here, or 90 on Enterprise.
        </EmptyState>
      </div>
    </Page>
  )
}
