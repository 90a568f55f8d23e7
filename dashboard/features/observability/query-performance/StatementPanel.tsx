import { SquareTerminal } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { type Statement, queryPerformance } from '#contract/observability/query-performance'
import { useOpenSql } from '../../../modules/sql/open-sql.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { databaseQuery } from '../../../session/project/database.ts'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { count, duration, oneLine, percent } from './figures.ts'
import { IndexAdvice } from './IndexAdvice.tsx'
import { planLines } from './plan-lines.ts'
import { Trend } from './Trend.tsx'

type Props = { projectRef: string; statement: Statement | undefined; onClose: () => void }

/** One statement: its text and figures, how they went on, its plan, and what would make it faster. */
export function StatementPanel({ projectRef, statement, onClose }: Props) {
  return statement ? (
    <Opened projectRef={projectRef} statement={statement} onClose={onClose} />
  ) : null
}

function Opened({ projectRef, statement, onClose }: Props & { statement: Statement }) {
  const sql = useOpenSql(projectRef)
  const { query, role, calls, total_time, mean_time, min_time, max_time, rows, cache_hit, share } =
    statement
  const figures: [string, string][] = [
    ['Calls', count(calls)],
    ['Total time', `${duration(total_time)} (${percent(share)})`],
    ['Mean', duration(mean_time)],
    ['Fastest', duration(min_time)],
    ['Slowest', duration(max_time)],
    ['Rows', count(rows)],
    ['Rows per call', (rows / Math.max(1, calls)).toFixed(1)],
    ['Cache hit', cache_hit === null ? 'Read nothing' : percent(cache_hit)],
  ]
  return (
    <SidePanel
      open
      size="xlarge"
      onClose={onClose}
      title={
        <span>
          Statement of <span className="mono">{role}</span>
        </span>
      }
      footer={
        <Button
          size="form"
          icon={SquareTerminal}
          busy={sql.busy}
          onClick={() => sql.open(oneLine(query).slice(0, 60), query)}
        >
          Open in SQL editor
        </Button>
      }
    >
      <CodeBlock code={query} language="sql" what="statement" />
      {sql.error && <Alert variant="danger" title={sql.error.message} />}
      <dl className="statement-figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {statement.queryid !== null && <Trend projectRef={projectRef} queryid={statement.queryid} />}
      <IndexAdvice projectRef={projectRef} query={query} />
      <StatementPlan projectRef={projectRef} query={query} />
    </SidePanel>
  )
}

type StatementPlanProps = { projectRef: string; query: string }

/** What the planner does with the statement for values that it does not know. */
function StatementPlan({ projectRef, query }: StatementPlanProps) {
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
