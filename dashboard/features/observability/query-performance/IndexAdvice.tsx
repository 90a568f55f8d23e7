import { ListTree } from 'lucide-react'
import { migrations } from '#contract/database/migrations'
import {
  queryPerformance,
  type IndexAdvice as Advice,
} from '#contract/observability/query-performance'
import { AdviceCard } from '../../../modules/advice/AdviceCard.tsx'
import { changeOf, keyOfAdvice } from '../../../modules/advice/index-advice.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { useReview } from '../../../modules/objects/use-review.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'

type Props = { projectRef: string; query: string }

/** Which index would help: on demand, because trying them out takes a moment of the table. */
export function IndexAdvice({ projectRef, query }: Props) {
  const advice = useDatabaseCall(queryPerformance.advice)
  const denials = useDenials(useProject(projectRef))
  const { ask, dialog } = useReview(projectRef, queryPerformance.plan)
  const look = () => advice.mutate({ ref: projectRef, query })
  const create = (index: Advice) =>
    ask({
      change: changeOf(index),
      title: 'Create index',
      verb: 'Create index',
      done: 'Index created',
      onDone: look,
      children: <p>Reads and writes continue meanwhile. On a large table this can take a while.</p>,
    })
  return (
    <section className="panel-part">
      <h3>Indexes</h3>
      {advice.data?.indexes.map((index) => (
        <AdviceCard
          key={keyOfAdvice(index)}
          advice={index}
          denial={denials(migrations.change)}
          onCreate={() => create(index)}
        />
      ))}
      {advice.data?.indexes.length === 0 && (
        <output className="help">
          No index on the columns of this statement lowers its cost by a tenth.
        </output>
      )}
      {advice.error && <Alert variant="danger" title={advice.error.message} />}
      {!advice.data && (
        <>
          <p className="help">
            Each candidate is built in a transaction, the plan is checked again, and everything is
            rolled back. Tables over 256 MB are skipped.
          </p>
          <div>
            <Button
              icon={ListTree}
              busy={advice.isPending}
              disabledReason={denials(queryPerformance.advice)}
              onClick={look}
            >
              Suggest an index
            </Button>
          </div>
        </>
      )}
      {dialog}
    </section>
  )
}
