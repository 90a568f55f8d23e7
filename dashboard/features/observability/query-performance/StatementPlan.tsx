import { queryPerformance } from '#contract/observability/query-performance'
import { useQuery } from '@tanstack/react-query'
import { databaseQuery } from '../../../session/project/database.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { count } from './figures.ts'
import { planLines } from './plan-lines.ts'

type Props = { projectRef: string; query: string }

/** What the planner does with the statement for values that it does not know. */
export function StatementPlan({ projectRef, query }: Props) {
  const { data, error, refetch } = useQuery({
    ...databaseQuery(queryPerformance.plan, { ref: projectRef, query }),
    retry: false,
  })
  return (
    <section className="panel-part">
      <h3>Plan</h3>
      {error ? (
        <ErrorNote what="the plan" error={error} onRetry={() => void refetch()} />
      ) : typeof data?.problem === 'string' ? (
        <Alert variant="neutral" title="This statement cannot be planned here">
          {data.problem}
        </Alert>
      ) : data ? (
        <ol className="plan-lines">
          {planLines(data.plan).map((line) => (
            <li key={line.key} style={{ '--depth': line.depth }}>
              <span className="grow">
                {line.what}
                {line.detail && <span className="muted mono plan-detail">{line.detail}</span>}
              </span>
              <span className="faint num">
                {count(line.rows)} {line.rows === 1 ? 'row' : 'rows'}
              </span>
              <span className="num plan-cost" title="Cost of this step alone, of the whole plan">
                <span>{count(line.cost)}</span>
                <span className="share" style={{ '--share': `${line.share * 100}%` }} />
              </span>
            </li>
          ))}
        </ol>
      ) : (
        <Skeleton width="100%" />
      )}
      <p className="help">
        Planned as the owner, without row level security, for any placeholder values. Nothing was
        run.
      </p>
    </section>
  )
}
