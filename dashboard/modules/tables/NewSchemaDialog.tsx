import { useState } from 'react'
import type { Change } from '#contract/ddl/change'
import { createSchema } from '#contract/ddl/schemas'
import { ReviewChange } from '../objects/ReviewChange.tsx'
import { forgetSchemas } from './table-queries.ts'
import { Button } from '../../ui/controls/Button.tsx'
import { Dialog } from '../../ui/floats/Dialog.tsx'
import { Form } from '../../ui/controls/Form.tsx'
import { TextField } from '../../ui/controls/TextField.tsx'

type Props = { projectRef: string; onClose: () => void; onCreated: (name: string) => void }

export function NewSchemaDialog({ projectRef, onClose, onCreated }: Props) {
  const [name, setName] = useState('')
  const [change, setChange] = useState<Change>()
  const newName = name.trim()
  return (
    <>
      <Dialog
        open
        onClose={onClose}
        title="New schema"
        shell={(inside) => (
          <Form
            error={undefined}
            pending={false}
            onSubmit={() => newName && setChange(createSchema(newName))}
          >
            {inside}
          </Form>
        )}
        footer={
          <>
            <Button size="form" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" size="form" variant="primary" disabled={newName === ''}>
              Create schema
            </Button>
          </>
        }
      >
        <TextField
          label="Name"
          mono
          autoComplete="off"
          help="A folder for tables. The data API does not show it until you expose it."
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </Dialog>
      <ReviewChange
        projectRef={projectRef}
        change={change}
        title="Create schema"
        verb="Create schema"
        onClose={() => setChange(undefined)}
        onDone={async () => {
          await forgetSchemas()
          onClose()
          onCreated(newName)
        }}
      />
    </>
  )
}
