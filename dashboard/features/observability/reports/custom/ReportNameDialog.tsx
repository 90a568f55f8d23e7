import { useState } from 'react'
import { messageOf } from '../../../../api/client.ts'
import { Alert } from '../../../../ui/Alert.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'

type Props = {
  title: string
  verb: string
  name: string
  description: string
  save: (values: { name: string; description: string | null }) => Promise<unknown>
  onClose: () => void
}

/** Names a report and says what it is for. */
export function ReportNameDialog({ title, verb, save, onClose, ...before }: Props) {
  const [name, setName] = useState(before.name)
  const [description, setDescription] = useState(before.description)
  const [isPending, setPending] = useState(false)
  const [error, setError] = useState<string>()
  async function submit() {
    setPending(true)
    try {
      await save({ name: name.trim(), description: description.trim() || null })
      onClose()
    } catch (failure) {
      setError(messageOf(failure))
      setPending(false)
    }
  }
  return (
    <FormDialog
      title={title}
      size="small"
      verb={verb}
      pending={isPending}
      disabled={name.trim() === ''}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        maxLength={200}
        required
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Description (optional)"
        value={description}
        maxLength={2000}
        onChange={(event) => setDescription(event.target.value)}
      />
      {error !== undefined && (
        <Alert variant="danger" title="The report could not be saved">
          {error}
        </Alert>
      )}
    </FormDialog>
  )
}
