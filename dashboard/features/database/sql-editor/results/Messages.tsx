import type { RunState } from '../running/run-state.ts'
import { durationText, rowsText } from './duration.ts'
import { titleOf } from './result-titles.ts'

/** More lines than this nobody reads. */
const shown = 1000

type Props = { state: RunState; sql: string; oneTransaction: boolean }

/** What each statement did, with the notices it raised, in order. */
export function Messages({ state, sql, oneTransaction }: Props) {
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
