import { useState } from 'react'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { FunctionPath } from './file-names.ts'

type Props = {
  title: string
  verb: string
  /** The path that it has so far. */
  before?: string
  taken: readonly string[]
  onName: (path: string) => void
  onClose: () => void
}

/** Asks what a file is called. */
export function FileName({ title, verb, before = '', taken, onName, onClose }: Props) {
  const [path, setPath] = useState(before)
  const [tried, setTried] = useState(false)
  const isTaken = path !== before && taken.includes(path)
  const problem = isTaken ? 'A file with this path already exists' : FunctionPath.problem(path)
  return (
    <FormDialog
      title={title}
      verb={verb}
      pending={false}
      onClose={onClose}
      onSubmit={() => (problem ? setTried(true) : onName(path))}
    >
      <TextField
        label="Path"
        mono
        autoComplete="off"
        help="Such as words.ts, deno.json or shared/cors.ts."
        error={tried ? problem : undefined}
        value={path}
        onChange={(event) => setPath(event.target.value.trim())}
      />
    </FormDialog>
  )
}
