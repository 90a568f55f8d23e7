import { Plus } from 'lucide-react'
import { useState } from 'react'
import { databasePolicies, type GuardedTable } from '#contract/database-policies'
import { dropPolicy } from '#contract/ddl/policies'
import type { Policy } from '#contract/pg-meta-shapes'
import { useReview } from '../../session/use-review.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { PolicyPanel } from './PolicyPanel.tsx'
import { PolicyRow } from './PolicyRow.tsx'
import type { PolicyTemplate } from './policy-templates.ts'

type Props = {
  projectRef: string
  /** Why nothing can be changed here. */
  locked: string | undefined
  title: string
  isPublic: boolean
  table: GuardedTable
  policies: Policy[]
  templates?: PolicyTemplate[]
}

/** The policies that speak of one bucket. */
export function BucketPolicies({
  projectRef,
  locked,
  title,
  isPublic,
  table,
  policies,
  templates,
}: Props) {
  const [panel, setPanel] = useState<{ policy?: Policy }>()
  const review = useReview(projectRef, databasePolicies.tables)
  const drop = (policy: Policy) =>
    review.ask({
      change: dropPolicy(policy),
      title: 'Drop policy',
      verb: 'Drop policy',
      danger: true,
      done: `${policy.name} is dropped`,
      children: (
        <p>
          What only <b>{policy.name}</b> lets through is not reached any more.
        </p>
      ),
    })
  return (
    <section className="card policy-table" aria-label={title}>
      <header>
        <h2 className="ell">{title}</h2>
        {isPublic && <Badge tone="warning">Public</Badge>}
        <div className="end">
          <Button icon={Plus} disabledReason={locked} onClick={() => setPanel({})}>
            New policy
          </Button>
        </div>
      </header>
      {policies.length > 0 ? (
        <ul className="policy-list">
          {policies.map((policy) => (
            <PolicyRow
              key={policy.id}
              policy={policy}
              locked={locked}
              onEdit={() => setPanel({ policy })}
              onDrop={() => drop(policy)}
            />
          ))}
        </ul>
      ) : (
        <p className="policy-none muted">No policies.</p>
      )}
      {panel && (
        <PolicyPanel
          projectRef={projectRef}
          table={table}
          {...(panel.policy ? { found: panel.policy } : {})}
          {...(templates ? { templates } : {})}
          onClose={() => setPanel(undefined)}
        />
      )}
      {review.dialog}
    </section>
  )
}
