import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { mostListed, tableTransfer, type Import } from '#contract/database/table-transfer'
import { messageOf } from '../../../../api/client.ts'
import { databaseQuery, databaseText } from '../../../../session/project/database.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { saveFile } from '../../../../ui/save-file.ts'
import { toast } from '../../../../ui/floats/toast.ts'
import { counted, numberText } from '../../../../ui/text/number.ts'

/** What came of an import, row by row where rows were bad. */
export function ImportReport({ projectRef, state }: { projectRef: string; state: Import }) {
  const { kept, rows, bad, problem } = state
  if (kept && bad === 0) return null
  return (
    <>
      <Alert
        variant={kept ? 'warning' : 'danger'}
        title={
          kept
            ? `${counted(rows - bad, 'row', 'rows')} imported, ${counted(bad, 'row was', 'rows were')} left out`
            : 'Nothing was imported'
        }
        action={bad > 0 && <BadRowsButton projectRef={projectRef} state={state} />}
      >
        {kept
          ? 'These rows did not fit:'
          : (problem ??
            `${counted(bad, 'row does', 'rows do')} not fit. Correct the file, or skip invalid rows.`)}
      </Alert>
      {bad > 0 && <BadRows projectRef={projectRef} state={state} />}
    </>
  )
}

function BadRows({ projectRef, state: { id, bad } }: { projectRef: string; state: Import }) {
  const { data } = useQuery(databaseQuery(tableTransfer.state, { ref: projectRef, import: id }))
  const report = data?.report ?? []
  return (
    <ul className="bad-rows">
      {report.map(({ row, column, reason }) => (
        <li key={`${row} ${column ?? ''}`}>
          <b>Row {numberText(row)}</b> <span className="mono">{reason}</span>
        </li>
      ))}
      {data && bad > report.length && (
        <li className="muted">{numberText(bad - report.length)} more</li>
      )}
    </ul>
  )
}

/** The list of the bad rows as a file. */
export function BadRowsButton({ projectRef, state }: { projectRef: string; state: Import }) {
  const { id, table, bad } = state
  const save = useMutation({
    mutationFn: () => databaseText(tableTransfer.badRows, { ref: projectRef, import: id }),
    onSuccess: (text) => saveFile(`bad rows of ${table}.csv`, text, 'text/csv'),
    onError: (error) =>
      toast.error('The list could not be loaded', { description: messageOf(error) }),
  })
  return (
    <Button
      icon={Download}
      busy={save.isPending}
      {...(bad > mostListed ? { title: `The first ${numberText(mostListed)} of them` } : {})}
      onClick={() => save.mutate()}
    >
      Bad rows as CSV
    </Button>
  )
}
