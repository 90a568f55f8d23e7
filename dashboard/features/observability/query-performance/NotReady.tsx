import { Gauge } from 'lucide-react'
import { enableExtension } from '#contract/ddl/extensions'
import { migrations } from '#contract/database/migrations'
import { queryPerformance } from '#contract/observability/query-performance'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { useReview } from '../../../modules/objects/use-review.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'

type Props = { projectRef: string; state: 'not_installed' | 'not_loaded' }

/** Why there are no figures, and what brings them. */
export function NotReady({ projectRef, state }: Props) {
  const { ask, dialog } = useReview(projectRef, queryPerformance.list)
  const why = useDenials(useProject(projectRef))(migrations.change)
  if (state === 'not_loaded')
    return (
      <div className="card">
        <EmptyState icon={Gauge} title="This server does not count statements">
          It was started without the library pg_stat_statements. Its operator can add that to
          shared_preload_libraries and restart it.
        </EmptyState>
      </div>
    )
  return (
    <div className="card">
      <EmptyState
        icon={Gauge}
        title="Statements are not counted yet"
        action={
          <Button
            variant="primary"
            disabledReason={why}
            onClick={() =>
              ask({
                change: enableExtension({ name: 'pg_stat_statements', schema: 'extensions' }),
                title: 'Count statements',
                verb: 'Create extension',
                done: 'Statements are counted from now on',
              })
            }
          >
            Create extension
          </Button>
        }
      >
        The extension pg_stat_statements keeps how often and how long each statement ran.
      </EmptyState>
      {dialog}
    </div>
  )
}
