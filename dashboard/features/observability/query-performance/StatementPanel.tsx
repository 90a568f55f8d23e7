import { SquareTerminal, ListTree } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Statement,
  queryPerformance,
  type TrendPoint,
  type IndexAdvice as Advice,
} from '#contract/observability/query-performance'
import { migrations } from '#contract/database/migrations'
import { useOpenSql } from '../../../modules/sql/saved-query.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { SidePanel } from '../../../ui/floats/SidePanel.tsx'
import { databaseQuery, useDatabaseCall } from '../../../session/project/database.ts'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { exactTime } from '../../../ui/text/time.ts'
import { AdviceCard, changeOf, keyOfAdvice } from '../../../modules/advice/AdviceCard.tsx'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { useReview } from '../../../modules/objects/ReviewChange.tsx'
import { count, duration, oneLine, percent } from './figures.ts'
import { planLines } from './plan-lines.ts'
import { trendQuery } from './queries.ts'

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

type Measure = 'calls' | 'time' | 'mean'
const measures: { value: Measure; label: string }[] = [
  { value: 'time', label: 'Time' },
  { value: 'calls', label: 'Calls' },
  { value: 'mean', label: 'Mean' },
]
const valueOf: Record<Measure, (point: TrendPoint) => number> = {
  calls: ({ calls }) => calls,
  time: ({ time }) => time,
  mean: ({ calls, time }) => (calls > 0 ? time / calls : 0),
}
/** More bars than this are too thin to point at. */
const maxBars = 120

/** How a statement did between the looks of the collector: a bar for each. */
function Trend({ projectRef, queryid }: { projectRef: string; queryid: string }) {
  const query = useQuery(trendQuery(projectRef, queryid))
  const [measure, setMeasure] = useState<Measure>('time')
  const points = query.data?.points.slice(-maxBars)
  const values = points?.map(valueOf[measure]) ?? []
  const highest = Math.max(...values, Number.MIN_VALUE)
  const shown = (value: number) => (measure === 'calls' ? count(value) : duration(value))
  return (
    <section className="panel-part">
      <h3 className="trend-head">
        Trend
        <Segmented label="Measure" options={measures} value={measure} onChange={setMeasure} />
      </h3>
      {query.error && !points ? (
        <ErrorNote what="trend" error={query.error} onRetry={() => void query.refetch()} />
      ) : points === undefined ? (
        <Skeleton width="100%" />
      ) : points.length === 0 ? (
        <p className="help">
          The busiest statements are measured every 15 minutes; two measurements make a bar.
        </p>
      ) : (
        <>
          {/* What the bars say in numbers stands below them. */}
          <div className="trend" aria-hidden>
            {points.map((point, at) => (
              <span
                key={point.at}
                style={{ '--high': `${((values[at] ?? 0) / highest) * 100}%` }}
                data-tip={`${exactTime(new Date(point.at))}: ${shown(values[at] ?? 0)}`}
              />
            ))}
          </div>
          <p className="help trend-foot">
            <span>{exactTime(new Date(points[0]?.at ?? ''))}</span>
            <span>
              {points.length} {points.length === 1 ? 'look' : 'looks'}, at most {shown(highest)}
            </span>
          </p>
        </>
      )}
    </section>
  )
}

type IndexAdviceProps = { projectRef: string; query: string }

/** Which index would help: on demand, because trying them out takes a moment of the table. */
function IndexAdvice({ projectRef, query }: IndexAdviceProps) {
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
