import { Plus } from 'lucide-react'
import { useState } from 'react'
import { databasePolicies, type GuardedTable } from '#contract/database/database-policies'
import type { Policy } from '#contract/database/pg-meta-shapes'
import { useReview } from '../../../modules/objects/use-review.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { PolicyList, type Written } from './PolicyList.tsx'
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
  const [written, setWritten] = useState<Written>()
  const review = useReview(projectRef, databasePolicies.tables)
  return (
    <section className="card policy-table" aria-label={title}>
      <header>
        <h2 className="ell">{title}</h2>
        {isPublic && <Badge tone="warning">Public</Badge>}
        <div className="end">
          <Button icon={Plus} disabledReason={locked} onClick={() => setWritten({})}>
            New policy
          </Button>
        </div>
      </header>
      <PolicyList
        {...{ projectRef, table, policies, locked, templates, review }}
        none="No policies."
        written={written}
        onWrite={setWritten}
      />
    </section>
  )
}
