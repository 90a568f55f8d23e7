import { useState } from 'react'
import type { Change } from '#contract/ddl/change'
import { createSchema } from '#contract/ddl/schemas'
import { FormDialog } from '../../ui/floats/FormDialog.tsx'
import { ReviewChange } from '../objects/ReviewChange.tsx'
import { ofSchemas } from './table-queries.ts'
import { TextField } from '../../ui/controls/TextField.tsx'

type Props = { projectRef: string; onClose: () => void; onCreated: (name: string) => void }

export function NewSchemaDialog({ projectRef, onClose, onCreated }: Props) {
  const [name, setName] = useState('')
  const [change, setChange] = useState<Change>()
  const newName = name.trim()
  return (
    <>
      <FormDialog
        title="New schema"
        verb="Create schema"
        disabled={newName === ''}
        onSubmit={() => newName && setChange(createSchema(newName))}
        onClose={onClose}
      >
        <TextField
          label="Name"
          mono
          autoComplete="off"
          help="A folder for tables. The data API does not show it until you expose it."
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </FormDialog>
      <ReviewChange
        projectRef={projectRef}
        change={change}
        title="Create schema"
        verb="Create schema"
        onClose={() => setChange(undefined)}
        changes={ofSchemas}
        onDone={() => {
          onClose()
          onCreated(newName)
        }}
      />
    </>
  )
}
