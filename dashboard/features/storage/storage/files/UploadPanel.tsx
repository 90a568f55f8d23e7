import { RotateCcw, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../../../../ui/controls/Button.tsx'
import { bytesText } from '../../../../ui/text/number.ts'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Meter } from '../../../../ui/Meter.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { nameOf } from './paths.ts'
import {
  addUploads,
  cancelUpload,
  clearUploads,
  forgetInterrupted,
  isFileOf,
  retryUpload,
  useInterrupted,
  useUploads,
  type FileUpload,
  type Interrupted,
} from './uploads.ts'

/** What is being sent, how far it is, and what was cut off when the page was left. */
export function UploadPanel({ projectRef }: { projectRef: string }) {
  const uploads = useUploads((state) => state.uploads).filter(({ ref }) => ref === projectRef)
  const cutOff = useInterrupted((state) => state.list).filter(
    (one) =>
      one.ref === projectRef &&
      !uploads.some(({ bucket, path }) => bucket === one.bucket && path === one.path),
  )
  const goOn = uploads.filter(({ state }) => state === 'waiting' || state === 'running').length
  useEffect(() => {
    if (goOn === 0) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [goOn])
  if (uploads.length === 0 && cutOff.length === 0) return null
  const done = uploads.filter(({ state }) => state === 'done').length
  return (
    <section className="upload-panel" aria-label="Uploads">
      <header>
        <h2 className="grow">
          {uploads.length > 0 ? `${done} of ${uploads.length} uploaded` : 'Cut off uploads'}
        </h2>
        {goOn === 0 && uploads.length > 0 && <Button onClick={clearUploads}>Clear</Button>}
      </header>
      <ul className="scroll">
        {uploads.map((upload) => (
          <li key={upload.id}>
            <UploadLine upload={upload} />
          </li>
        ))}
        {cutOff.map((one) => (
          <li key={`${one.bucket}/${one.path}`}>
            <CutOffLine one={one} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function UploadLine({ upload }: { upload: FileUpload }) {
  const { id, path, file, sent, state, problem, isTaken } = upload
  const name = nameOf(path)
  const words = {
    waiting: 'Waiting',
    running: `${bytesText(sent)} of ${bytesText(file.size)}`,
    done: bytesText(file.size),
    failed: isTaken ? 'There is a file of this name' : (problem ?? 'The upload failed'),
    cancelled: 'Cancelled',
  }
  return (
    <>
      <div className="upload-line">
        <span className="ell grow" title={path}>
          {name}
        </span>
        {(state === 'waiting' || state === 'running') && (
          <IconButton
            icon={X}
            iconSize="s"
            label={`Cancel ${name}`}
            onClick={() => void cancelUpload(id)}
          />
        )}
        {state === 'failed' && isTaken && (
          <Button onClick={() => void retryUpload(id, true)}>Replace</Button>
        )}
        {((state === 'failed' && !isTaken) || state === 'cancelled') && (
          <IconButton
            icon={RotateCcw}
            iconSize="s"
            label={`Try ${name} again`}
            onClick={() => void retryUpload(id)}
          />
        )}
      </div>
      {state === 'running' && (
        <Meter
          label={`${name} uploaded`}
          percent={file.size === 0 ? 0 : (100 * sent) / file.size}
        />
      )}
      <span className={state === 'failed' ? 'err' : 'help'}>{words[state]}</span>
    </>
  )
}

/** A page cannot keep a file: who chooses it again goes on where it was. */
function CutOffLine({ one }: { one: Interrupted }) {
  const input = useRef<HTMLInputElement>(null)
  const name = nameOf(one.path)
  const choose = (file: File | undefined) => {
    if (!file) return
    if (isFileOf(one, file)) void addUploads(one.ref, one.bucket, [{ path: one.path, file }])
    else toast.error('This is not the file that was being uploaded')
  }
  return (
    <>
      <div className="upload-line">
        <span className="ell grow" title={one.path}>
          {name}
        </span>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={`The file ${name}`}
          onChange={({ target }) => choose(target.files?.[0])}
        />
        <Button onClick={() => input.current?.click()}>Choose again</Button>
        <IconButton
          icon={X}
          iconSize="s"
          label={`Remove ${name}`}
          onClick={() => forgetInterrupted(one)}
        />
      </div>
      <span className="help">Interrupted: choose the same file to resume</span>
    </>
  )
}
