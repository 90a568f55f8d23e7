import { Alert } from '../../ui/Alert.tsx'
import type { BadRow } from '#contract/table-transfer'
import type { Imported, Progress } from './import-run.ts'

type Props = {
  running: boolean
  progress: Progress | undefined
  result: Imported | undefined
  /** What it failed of, or `cancelled`. */
  failure: string | undefined
}

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** How far an import is, and what came of it, row by row where rows were bad. */
export function ImportReport({ running, progress, result, failure }: Props) {
  if (running) {
    const part = progress ? progress.sent / progress.size : 0
    return (
      <div className="import-progress" aria-live="polite">
        <progress aria-label="Sent" max={1} value={part} />
        <span className="muted t12">
          {progress
            ? `${Math.floor(part * 100)} %, ${counted(progress.state.rows, 'row', 'rows')} read${
                progress.state.bad > 0
                  ? `, ${counted(progress.state.bad, 'bad row', 'bad rows')}`
                  : ''
              }`
            : 'Starting'}
        </span>
      </div>
    )
  }
  if (failure === 'cancelled')
    return (
      <Alert variant="info" title="The import was cancelled">
        Nothing of the file was kept.
      </Alert>
    )
  if (failure !== undefined)
    return (
      <Alert variant="danger" title="Nothing was imported">
        {failure}
      </Alert>
    )
  if (!result || result.bad === 0) return null
  const { kept, rows, bad, report } = result
  return (
    <>
      <Alert
        variant={kept ? 'warning' : 'danger'}
        title={
          kept
            ? `${counted(rows - bad, 'row', 'rows')} imported, ${counted(bad, 'row was', 'rows were')} left out`
            : 'Nothing was imported'
        }
      >
        {kept
          ? 'These rows did not fit:'
          : `${counted(bad, 'row does', 'rows do')} not fit. Correct the file, or let bad rows be left out.`}
      </Alert>
      <BadRows report={report} bad={bad} />
    </>
  )
}

function BadRows({ report, bad }: { report: readonly BadRow[]; bad: number }) {
  return (
    <ul className="bad-rows">
      {report.map(({ row, column, reason }) => (
        <li key={`${row} ${column ?? ''}`}>
          <b>Row {row.toLocaleString('en')}</b> <span className="mono">{reason}</span>
        </li>
      ))}
      {bad > report.length && (
        <li className="muted">{(bad - report.length).toLocaleString('en')} more</li>
      )}
    </ul>
  )
}
