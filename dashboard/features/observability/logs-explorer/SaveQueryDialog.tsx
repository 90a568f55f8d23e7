import { useState } from 'react'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { Alert } from '../../../ui/Alert.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { useSaveQuery, type Kept } from './saved-queries.ts'

type Props = {
  projectRef: string
  /** What is saved; without a name when it is new. */
  query: Kept
  onSaved: (id: string) => void
  onClose: () => void
}

const longestName = 200
const longestDescription = 2000

/** Names a query of logs, says what it is for and who sees it. */
export function SaveQueryDialog({ projectRef, query, onSaved, onClose }: Props) {
  const [name, setName] = useState(query.name)
  const [description, setDescription] = useState(query.description ?? '')
  const [isShared, setShared] = useState(query.visibility === 'project')
  const { save, isPending, error } = useSaveQuery(projectRef, (id) => {
    onSaved(id)
    onClose()
  })
  const isNew = query.revision === 0
  return (
    <FormDialog
      title={isNew ? 'Save query' : `Edit ${query.name}`}
      size="small"
      verb={isNew ? 'Save query' : 'Save'}
      pending={isPending}
      disabled={name.trim() === ''}
      onSubmit={() =>
        save({
          ...query,
          name: name.trim(),
          description: description.trim() || null,
          visibility: isShared ? 'project' : 'user',
        })
      }
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        maxLength={longestName}
        required
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Description (optional)"
        value={description}
        maxLength={longestDescription}
        onChange={(event) => setDescription(event.target.value)}
      />
      <Checkbox
        label="Share with the project"
        checked={isShared}
        onChange={(event) => setShared(event.target.checked)}
      />
      <p className="faint t12">
        Everybody in this project can read and run a query that is shared. Only you can change it.
      </p>
      {error && (
        <Alert variant="danger" title="The query could not be saved">
          {error.message}
        </Alert>
      )}
    </FormDialog>
  )
}
