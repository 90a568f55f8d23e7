import { lazy, Suspense, useState } from 'react'
import { CircleAlert, Sparkles } from 'lucide-react'
import type { ResultCell, SqlError } from '#contract/database/sql/sql-query'
import { Progress } from '../../../../ui/Progress.tsx'
import type { Place } from '../editor/error-place.ts'
import { QuotaWayOut } from '../../../../modules/restriction/AllowWrites.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import type { StatementRun } from '../running/run-state.ts'
import { numberText } from '../../../../ui/text/number.ts'
import type { OpenQuery } from '../open-query.ts'
import type { RunView } from '../running/runs.ts'
import { useQueryView, useWorkspace } from '../use-workspace.ts'
import { CopyButton } from '../../../../ui/controls/CopyButton.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { askAssistant } from '../editor/ask-assistant.ts'
import { CodeWell } from '../editor/CodeWell.tsx'
import { Dialog } from '../../../../ui/floats/Dialog.tsx'
import { durationText, rowsText } from './result-words.ts'
import { isCut, textOf } from './result-export.ts'
import { ResultGrid } from './ResultGrid.tsx'
import { CopiedResult } from './CopiedResult.tsx'
import { planOf } from './plan.ts'
import { PlanView } from './PlanView.tsx'

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
                <dd className="mono">{shownText(row[column] ?? null)}</dd>
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

const shownText = (cell: ResultCell) =>
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

type ResultFootProps = {
  statement: StatementRun
  cell: { row: number; column: number } | undefined
  onRunWithoutLimit: () => void
}

/** How many rows there are, whether all of them, and the selected value. */
function ResultFoot({ statement, cell, onRunWithoutLimit }: ResultFootProps) {
  const [isOpen, setOpen] = useState(false)
  const { received, arrived, limitedTo, cut, fields, rows, status } = statement
  const field = cell && fields?.[cell.column]
  const limited = limitedTo !== null && status === 'done' && received >= limitedTo
  return (
    <div className="foot">
      <output>{rowsText(arrived)}</output>
      {arrived > received && (
        <span className="tone-warning">
          The first {numberText(received)} are shown; Export has all of them
        </span>
      )}
      {limited && (
        <>
          <span>Limit of {limitedTo} added</span>
          <Button variant="ghost" onClick={onRunWithoutLimit}>
            Run without limit
          </Button>
        </>
      )}
      {cut && <span className="tone-warning">There were more: only these were sent</span>}
      <span className="grow" />
      {cell && field && (
        <Button variant="ghost" onClick={() => setOpen(true)}>
          Show value
        </Button>
      )}
      {isOpen && cell && field && (
        <CellDialog
          name={field.name}
          type={field.type}
          cell={rows[cell.row]?.[cell.column] ?? null}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

type ErrorResultProps = {
  error: SqlError
  /** Where it is in the editor, if that text is still there. */
  place: Place | undefined
  /** Where the statement begins in what ran, for an error that has no place. */
  line: number
  cancelled: boolean
  /** What ran. */
  query: { name: string; sql: string }
  onGoTo: (place: Place) => void
}

/** How Postgres refuses a change by who may only read. */
const refusalsOfReader = new Set(['25006', '42501'])

/** What Postgres refused, and where. */
function ErrorResult({ error, place, line, cancelled, query, onGoTo }: ErrorResultProps) {
  const { ref } = useWorkspace()
  const where = place ?? { line: error.line ?? line, column: error.column ?? 1 }
  return (
    <div className="sql-error scroll" role="alert">
      <header>
        <Icon of={CircleAlert} />
        <h2 className="grow">{cancelled ? 'Cancelled' : error.message}</h2>
        {!cancelled && (
          <Button icon={Sparkles} onClick={() => void askAssistant(ref, error, query)}>
            Ask the assistant
          </Button>
        )}
        <CopyButton text={error.formattedError} what="error" />
      </header>
      <p className="t12 muted">
        <span className="mono">{error.code}</span> at line {where.line}, column {where.column}
        {error.position !== undefined && `, position ${error.position} of what ran`}
        {place && (
          <Button variant="ghost" onClick={() => onGoTo(place)}>
            Go to line {place.line}
          </Button>
        )}
      </p>
      <CodeWell label="Postgres error">{error.formattedError.trimEnd()}</CodeWell>
      {refusalsOfReader.has(error.code) && <QuotaWayOut projectRef={ref} />}
      {error.code === '57014' && !cancelled && (
        <p className="muted">
          The statement took longer than Settings allow. Increase the timeout there. For very long
          ones, connect with psql: the connection string is on the project's home page.
        </p>
      )}
    </div>
  )
}

type CellDialogProps = { name: string; type: string; cell: ResultCell; onClose: () => void }

/** One value, as much of it as was sent. */
function CellDialog({ name, type, cell, onClose }: CellDialogProps) {
  const text = textOf(cell)
  return (
    <Dialog
      open
      onClose={onClose}
      size="large"
      title={
        <span className="row">
          <span className="mono">{name}</span>
          <span className="mono faint">{type}</span>
        </span>
      }
      footer={
        <Button size="form" onClick={onClose}>
          Done
        </Button>
      }
    >
      {isCut(cell) && typeof cell === 'object' && cell !== null && (
        <p className="muted">
          This is the start of {numberText(cell.bytes)} bytes. To see the rest, select a part of it,
          for example with substring.
        </p>
      )}
      <div className="sql-cell">
        <CodeWell label={`Value of ${name}`}>
          {text === null ? <i className="faint">NULL</i> : pretty(text, type)}
        </CodeWell>
        <CopyButton text={text ?? ''} what="value" />
      </div>
    </Dialog>
  )
}

/** JSON with its lines broken, when it is whole. */
function pretty(text: string, type: string): string {
  if (type !== 'json' && type !== 'jsonb') return text
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value, null, 2)
  } catch {
    return text
  }
}
