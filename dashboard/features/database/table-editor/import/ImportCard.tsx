import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Import } from '#contract/database/table-transfer'
import { messageOf } from '../../../../api/client.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { bytesText } from '../../../../ui/text/bytes.ts'
import { Time } from '../../../../ui/text/Time.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { counted } from '../../../../ui/text/number.ts'
import { BadRowsButton } from './ImportReport.tsx'
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
