import { Check, CircleAlert, Rows3, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../../ui/ErrorNote.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { numberText, bytesText } from '../../../../ui/text/number.ts'
import { Progress } from '../../../../ui/Progress.tsx'
import { Segmented } from '../../../../ui/controls/Segmented.tsx'
import { Tabs, type Tab } from '../../../../ui/navigation/Tabs.tsx'
import type { Place } from '../editor/error-place.ts'
import { type RunState, failureOf, type StatementRun } from '../running/run-state.ts'
import type { OpenQuery } from '../open-query.ts'
import type { RunView } from '../running/runs.ts'
import { durationText, rowsText, titleOf } from './result-words.ts'
import { ExportMenu } from './ExportMenu.tsx'
import { planOf } from './plan.ts'
import { StatementResult } from './StatementResult.tsx'

type Props = {
  run: RunView | undefined
  name: string
  query: OpenQuery
  isForeign: boolean
  place: Place | undefined
  onGoTo: (place: Place) => void
  onRun: () => void
  onRunWithoutLimit: () => void
}

const views = [
  { value: 'rows', label: 'Rows' },
  { value: 'chart', label: 'Chart' },
] as const

/** More statements than this have their results in Messages only. */
const maxTabs = 50
const messages = 'messages'

/** What the last run brought: a tab per statement, as they arrive. */
export function ResultPane(props: Props) {
  const { run } = props
  if (!run)
    return (
      <section className="sql-results" aria-label="Results">
        <EmptyState icon={Rows3} title="No results yet">
          Run the query to see its rows here.
        </EmptyState>
      </section>
    )
  // What was chosen belongs to this run: the next one begins with its own result.
  return <Results key={run.id} {...props} run={run} />
}

function Results({
  run,
  query,
  isForeign,
  name,
  place,
  onGoTo,
  onRun,
  onRunWithoutLimit,
}: Props & { run: RunView }) {
  const [chosen, setChosen] = useState<string>()
  const [view, setView] = useState<'rows' | 'chart'>('rows')
  const { state, sent, failure } = run
  const open = chosen ?? tabToOpen(state)
  const statement = state.statements.find(({ index }) => String(index) === open)
  const tabs = tabsOf(state, sent.sql)
  return (
    <section className="sql-results" aria-label="Results">
      <div className="bar sql-result-bar">
        <Tabs label="Results" tabs={tabs} value={open} onChange={setChosen} />
        <span className="grow" />
        <RunNote run={run} />
        {statement?.fields && statement.received > 0 && (
          <>
            {!planOf(statement) && (
              <Segmented
                label="Shown as"
                options={views}
                value={view}
                onChange={(next) => setView(next)}
              />
            )}
            <ExportMenu run={run} statement={statement} name={name} />
          </>
        )}
      </div>
      {failure && !failureOf(state) ? (
        <ErrorNote what="the results" error={failure} onRetry={onRun} />
      ) : open === messages ? (
        <Messages state={state} sql={sent.sql} oneTransaction={run.options.oneTransaction} />
      ) : statement ? (
        <StatementResult
          key={statement.index}
          statement={statement}
          run={run}
          query={query}
          isForeign={isForeign}
          view={view}
          place={place}
          cancelled={run.cancel === 'asked'}
          onGoTo={onGoTo}
          onRunWithoutLimit={onRunWithoutLimit}
        />
      ) : (
        <div className="sql-done">
          {state.phase === 'running' ? (
            <Progress label="Running" />
          ) : (
            <p>
              {state.progress
                ? `${numberText(state.progress)} statements ran.`
                : 'There was nothing to run.'}
            </p>
          )}
        </div>
      )}
    </section>
  )
}

function RunNote({ run }: { run: RunView }) {
  const { state, failure, cancel } = run
  if (state.phase === 'running')
    return (
      <span className="t12 muted tn ell">
        {cancel === 'asked' ? 'Cancelling' : `Running${fileProgress(run)}`}
      </span>
    )
  const uncommitted = uncommittedText(run)
  const failed = failure !== undefined || failureOf(state) !== undefined
  return (
    <output className="st t12 muted tn">
      <Icon
        of={failed ? CircleAlert : uncommitted ? TriangleAlert : Check}
        size="s"
        className={failed ? 'tone-danger' : uncommitted ? 'tone-warning' : 'sql-ok'}
      />
      {uncommitted && <span className="tone-warning ell">{uncommitted}</span>}
      {state.ms === undefined ? 'Not finished' : durationText(state.ms)}
      <span className="sr">{failed ? 'failed' : 'done'}</span>
    </output>
  )
}

/** What the run did and nobody else will see. */
function uncommittedText({ state }: RunView): string | undefined {
  if (state.rolledBack) return 'Not committed: rolled back'
  return state.transaction === 'open' ? 'Not committed yet' : undefined
}

/** How far a file is. */
function fileProgress({ options: { file }, sentBytes, state }: RunView): string {
  if (!file) return ''
  const statements = `${numberText(state.progress ?? 0)} statements`
  return `: ${statements}, ${bytesText(sentBytes)} of ${bytesText(file.blob.size)}`
}

/**
 * The error if there is one, else the last result with rows, else the last statement. A command of psql may have several
 * results, of which the first says most.
 */
function tabToOpen(state: RunState): string {
  const { statements } = state
  const last = statements.findLast(({ fields }) => fields) ?? statements.at(-1)
  const first =
    last?.title === undefined ? last : statements.find(({ start }) => start === last.start)
  const open = failureOf(state) ?? first
  return open ? String(open.index) : '0'
}

function tabsOf(state: RunState, sql: string): Tab<string>[] {
  const failed = failureOf(state)
  const shown = state.statements.filter(({ index }) => index < maxTabs)
  if (failed && !shown.includes(failed)) shown.push(failed)
  return [
    ...shown.map((statement) => ({
      id: String(statement.index),
      label: <TabLabel statement={statement} title={titleOf(statement, sql)} />,
    })),
    ...(state.statements.length > 0
      ? [{ id: messages, label: 'Messages', ...countOf(state.notices.length) }]
      : []),
  ]
}
const countOf = (count: number) => (count > 0 ? { count } : {})

function TabLabel({ statement, title }: { statement: StatementRun; title: string }) {
  const { index, error, fields, received, count } = statement
  const rows = fields ? received : count
  return (
    <>
      <span className="c">{index + 1}</span>
      {error ? (
        <>
          <Icon of={CircleAlert} size="s" className="tone-danger" />
          Error
        </>
      ) : (
        title
      )}
      {!error && rows !== null && <span className="c tn">{rowsText(rows)}</span>}
    </>
  )
}

/** More lines than this nobody reads. */
const shown = 1000

type MessagesProps = { state: RunState; sql: string; oneTransaction: boolean }

/** What each statement did, with the notices it raised, in order. */
function Messages({ state, sql, oneTransaction }: MessagesProps) {
  const { statements, notices } = state
  return (
    <ol className="sql-messages scroll" aria-label="Messages">
      {statements.slice(0, shown).map((statement) => (
        <li key={statement.index}>
          <p className="row">
            <span className="faint tn">{statement.index + 1}</span>
            <span className="med">{titleOf(statement, sql)}</span>
            {statement.count !== null && <span className="muted">{rowsText(statement.count)}</span>}
            {statement.error && <span className="tone-danger">{statement.error.message}</span>}
            <span className="grow" />
            <span className="faint tn">
              {statement.ms === undefined ? 'running' : durationText(statement.ms)}
            </span>
          </p>
          {notices
            .filter(({ index }) => index === statement.index)
            .slice(0, shown)
            .map(({ severity, message, detail, hint }, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- notices only ever grow at the end
              <p className="mono sql-notice" key={at}>
                <span className="muted">{severity}:</span> {message}
                {detail && <span className="muted"> Detail: {detail}</span>}
                {hint && <span className="muted"> Hint: {hint}</span>}
              </p>
            ))}
        </li>
      ))}
      {state.rolledBack && (
        <li className="tone-warning">
          {oneTransaction
            ? 'It ran in one transaction, which was rolled back: nothing was changed.'
            : 'Not committed: the text left a transaction open. It was rolled back: end it with COMMIT to keep what it did.'}
        </li>
      )}
    </ol>
  )
}
