import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Download } from 'lucide-react'
import { type Import, maxListed, tableTransfer } from '#contract/database/table-transfer'
import { messageOf } from '../../../../api/client.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Time } from '../../../../ui/text/Time.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { counted, numberText, bytesText } from '../../../../ui/text/number.ts'
import { databaseQuery, databaseText } from '../../../../session/project/database.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { saveFile } from '../../../../ui/save-file.ts'
import { cancelImport, continueImport, isSameFile, useUpload } from './import-uploads.ts'
import { tableId } from './imports-query.ts'

type Props = { projectRef: string; state: Import; onLeave: () => void }

/** One import: how far it is, or what came of it, and what can be done with it. */
export function ImportCard({ projectRef, state, onLeave }: Props) {
  const navigate = useNavigate()
  const cancel = useMutation({
    mutationFn: () => cancelImport({ ref: projectRef, import: state.id }),
  })
  const open = useMutation({
    mutationFn: async () => {
      const id = await tableId(projectRef, state.schema, state.table)
      if (id === undefined) throw new Error('The table no longer exists')
      onLeave()
      await navigate({
        to: '/project/$ref/editor/$id',
        params: { ref: projectRef, id: String(id) },
      })
    },
  })
  const ended = state.ended_at !== null
  const error = cancel.error ?? open.error
  return (
    <li className="import-card">
      <div className="row">
        <b className="ell">{state.file.name}</b>
        <span className="muted t12">{bytesText(state.file.size)}</span>
        <span className="grow" />
        <span className="muted t12">
          <Time at={state.ended_at ?? state.started_at} />
        </span>
      </div>
      <p className="t12 ell">
        into <span className="mono">{`${state.schema}.${state.table}`}</span>
      </p>
      {ended ? <Ended state={state} /> : <UnderWay projectRef={projectRef} state={state} />}
      {error && (
        <p className="err" role="alert">
          {messageOf(error)}
        </p>
      )}
      <div className="row">
        {state.kept && (
          <Button busy={open.isPending} onClick={() => open.mutate()}>
            Open table
          </Button>
        )}
        {ended && state.bad > 0 && <BadRowsButton projectRef={projectRef} state={state} />}
        <Button variant="ghost" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          {ended ? 'Remove' : 'Cancel the import'}
        </Button>
      </div>
    </li>
  )
}

function Ended({ state: { kept, rows, bad, problem } }: { state: Import }) {
  if (kept)
    return (
      <p className="t12">
        {counted(rows - bad, 'row', 'rows')} imported
        {bad > 0 && `, ${counted(bad, 'row was', 'rows were')} left out`}
      </p>
    )
  return (
    <p className="t12">
      <span className="tone-danger">Nothing was imported.</span>{' '}
      {problem ?? `${counted(bad, 'row does', 'rows do')} not fit.`}
    </p>
  )
}

/** Sent first, then taken into the table; both are shown as a part of the file. */
export function UnderWay({ projectRef, state }: { projectRef: string; state: Import }) {
  const upload = useUpload(state.id)
  const [wrong, setWrong] = useState<string>()
  const loading = state.phase === 'loading'
  const part = (loading ? state.read : state.received) / state.file.size
  const percent = `${Math.floor(part * 100)} %`
  const go = (file: Blob) => {
    setWrong(undefined)
    continueImport(projectRef, state, file).catch((error: unknown) =>
      toast.error('Nothing was imported', { description: messageOf(error) }),
    )
  }
  return (
    <div className="import-progress" aria-live="polite">
      <progress aria-label={loading ? 'Read' : 'Sent'} max={1} value={part} />
      <span className="muted t12">
        {loading
          ? `${percent}, ${counted(state.rows, 'row', 'rows')} read${
              state.bad > 0 ? `, ${counted(state.bad, 'bad row', 'bad rows')}` : ''
            }`
          : `${percent} sent`}
      </span>
      {!loading && upload && !upload.running && (
        <>
          <p className="err" role="alert">
            {upload.problem} The uploaded part is kept for a day.
          </p>
          <Button onClick={() => go(upload.file)}>Resume</Button>
        </>
      )}
      {!loading && !upload && (
        <>
          <p className="t12">
            The upload was interrupted. Choose the same file again to resume it.
          </p>
          <label className="btn import-again">
            <span>Choose the file</span>
            <input
              type="file"
              className="sr"
              aria-label={`Choose ${state.file.name} again`}
              onChange={({ target: { files } }) => {
                const [file] = files ?? []
                if (!file) return
                if (isSameFile(state.file, file.name, file)) go(file)
                else
                  setWrong(
                    'This is another file, or it has changed since. To import it, cancel this import first.',
                  )
              }}
            />
          </label>
          {wrong !== undefined && (
            <p className="err" role="alert">
              {wrong}
            </p>
          )}
        </>
      )}
    </div>
  )
}

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
function BadRowsButton({ projectRef, state }: { projectRef: string; state: Import }) {
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
      {...(bad > maxListed ? { title: `The first ${numberText(maxListed)} of them` } : {})}
      onClick={() => save.mutate()}
    >
      Bad rows as CSV
    </Button>
  )
}
