import { useState } from 'react'
import { Alert } from '../../../../ui/Alert.tsx'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { nameProblem } from './paths.ts'

type Props = {
  title: string
  verb: string
  /** The name as it is. */
  start: string
  pending: boolean
  error: Error | null
  onName: (name: string) => void
  onClose: () => void
}

/** Asks for the name of a file or folder. */
export function NameDialog({ title, verb, start, pending, error, onName, onClose }: Props) {
  const [typed, setTyped] = useState(start)
  const [tried, setTried] = useState(false)
  const name = typed.trim()
  const problem = nameProblem(name)
  return (
    <FormDialog
      title={title}
      verb={verb}
      disabled={start !== '' && name === start}
      pending={pending}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (!problem) onName(name)
      }}
    >
      <TextField
        label="Name"
        mono
        autoComplete="off"
        error={tried ? problem : undefined}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {error && <Alert variant="danger" title={error.message} />}
    </FormDialog>
  )
}
