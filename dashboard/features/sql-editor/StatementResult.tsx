import { useState } from 'react'
import { Progress } from '../../ui/Progress.tsx'
import { durationText, rowsText } from './duration.ts'
import { ErrorResult } from './ErrorResult.tsx'
import type { Place } from './error-place.ts'
import { ResultFoot } from './ResultFoot.tsx'
import { ResultGrid } from './ResultGrid.tsx'
import type { StatementRun } from './run-state.ts'

type Props = {
  statement: StatementRun
  place: Place | undefined
  cancelled: boolean
  onGoTo: (place: Place) => void
  onRunWithoutLimit: () => void
}

/** What became of one statement: rows, a word about what it did, or an error. */
export function StatementResult({ statement, place, cancelled, onGoTo, onRunWithoutLimit }: Props) {
  const [cell, setCell] = useState<{ row: number; column: number }>()
  const { error, fields, received, status, command, count, ms } = statement
  if (error) return <ErrorResult {...{ error, place, cancelled, onGoTo }} />
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
  return (
    <>
      <div className="sql-grid">
        <ResultGrid statement={statement} onCell={setCell} />
        {received === 0 && (
          <p className="sql-none muted">
            {status === 'running' ? 'Waiting for rows' : 'The statement found no rows.'}
          </p>
        )}
      </div>
      <ResultFoot statement={statement} cell={cell} onRunWithoutLimit={onRunWithoutLimit} />
    </>
  )
}
