import { lazy, Suspense, useState } from 'react'
import { Progress } from '../../../../ui/Progress.tsx'
import { durationText, rowsText } from './duration.ts'
import { ErrorResult } from './ErrorResult.tsx'
import type { Place } from '../editor/error-place.ts'
import { ResultFoot } from './ResultFoot.tsx'
import { ResultGrid } from './ResultGrid.tsx'
import type { OpenQuery } from '../open-query.ts'
import { CopiedResult } from './CopiedResult.tsx'
import { planOf } from './plan-of.ts'
import { PlanView } from './PlanView.tsx'
import type { StatementRun } from '../running/run-state.ts'
import type { RunView } from '../running/runs.ts'
import { useQueryView } from '../use-workspace.ts'
import type { ResultCell } from '#contract/database/sql/sql-query'
import { numberText } from '../../../../ui/text/number.ts'

/** Records that are shown; a grid is the better view of more. */
const shown = 200

/** Rows on their side, a line for each column, as psql shows them after \x. */
function ExpandedRows({ statement }: { statement: StatementRun }) {
  const { fields = [], rows, received } = statement
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also for the keyboard
    <section className="sql-expanded scroll" aria-label="Records" tabIndex={0}>
      {rows.slice(0, shown).map((row, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows only ever grow at the end
        <section key={at}>
          <h3>Record {at + 1}</h3>
          <dl>
            {fields.map(({ name }, column) => (
              // oxlint-disable-next-line react/no-array-index-key -- two columns may have one name
              <div key={column}>
                <dt>{name}</dt>
                <dd className="mono">{textOf(row[column] ?? null)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {received > shown && (
        <p className="muted">
          The first {shown} of {numberText(received)} records are shown
        </p>
      )}
    </section>
  )
}

const textOf = (cell: ResultCell) =>
  cell === null ? <i className="faint">NULL</i> : typeof cell === 'string' ? cell : `${cell.head}…`

type Props = {
  statement: StatementRun
  run: RunView
  query: OpenQuery
  isForeign: boolean
  view: 'rows' | 'chart'
  place: Place | undefined
  cancelled: boolean
  onGoTo: (place: Place) => void
  onRunWithoutLimit: () => void
}

/** What became of one statement: rows, a word about what it did, or an error. */
export function StatementResult(props: Props) {
  const { statement, run, query, view, place, cancelled, onGoTo, onRunWithoutLimit } = props
  const [cell, setCell] = useState<{ row: number; column: number }>()
  const { error, fields, received, status, command, count, ms } = statement
  if (error)
    return (
      <ErrorResult
        {...{ error, place, cancelled, onGoTo }}
        line={statement.line}
        query={{ name: query.view().values.name, sql: run.sent.sql }}
      />
    )
  if (statement.copied.length > 0 && status === 'done') {
    const text = run.sent.sql.slice(statement.start, statement.end)
    return <CopiedResult statement={statement} text={text} name={query.view().values.name} />
  }
  if (!fields)
    return (
      <div className="sql-done">
        {status === 'running' ? (
          <Progress label="Running" />
        ) : (
          <p>
            <span className="med">{command}</span>
            <span className="muted">
              {count === null ? ' was done' : `: ${rowsText(count)}`} in {durationText(ms ?? 0)}. It
              returned no rows.
            </span>
          </p>
        )}
      </div>
    )
  const plan = planOf(statement)
  if (plan) return <PlanView plan={plan} isRolledBack={run.options.explain === 'analyze'} />
  if (view === 'chart') return <Chart {...props} />
  return (
    <>
      <div className="sql-grid">
        {statement.isExpanded ? (
          <ExpandedRows statement={statement} />
        ) : (
          <ResultGrid statement={statement} onCell={setCell} />
        )}
        {received === 0 && (
          <p className="sql-none muted">
            {status === 'running' ? 'Waiting for rows' : 'The statement returned no rows.'}
          </p>
        )}
      </div>
      <ResultFoot statement={statement} cell={cell} onRunWithoutLimit={onRunWithoutLimit} />
    </>
  )
}

const ChartView = lazy(() => import('./ChartView.tsx').then((m) => ({ default: m.ChartView })))

function Chart({ statement, query, isForeign }: Props) {
  const saved = useQueryView(query, (view) => view.values.chart ?? null)
  const [own, setOwn] = useState(saved)
  return (
    <Suspense fallback={<Progress label="Loading the chart" />}>
      <ChartView
        statement={statement}
        saved={isForeign ? own : saved}
        isForeign={isForeign}
        onChange={(chart) => (isForeign ? setOwn(chart) : query.edit({ chart }))}
      />
    </Suspense>
  )
}
