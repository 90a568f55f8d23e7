import { useState } from 'react'
import { pgMeta } from '#contract/pg-meta'
import { forget } from '../../api/client.ts'
import { useDatabaseCall } from '../../session/database.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { TextField } from '../../ui/TextField.tsx'

type Props = { projectRef: string; onClose: () => void; onCreated: (name: string) => void }

export function NewSchemaDialog({ projectRef, onClose, onCreated }: Props) {
  const [name, setName] = useState('')
  const create = useDatabaseCall(pgMeta.createSchema, {
    onSuccess: async (schema) => {
      await forget(pgMeta.schemas)
      onClose()
      onCreated(schema.name)
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="New schema"
      shell={(inside) => (
        <Form
          error={create.error?.message}
          pending={create.isPending}
          onSubmit={() => name.trim() && create.mutate({ ref: projectRef, name: name.trim() })}
        >
          {inside}
        </Form>
      )}
      footer={
        <>
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            size="form"
            variant="primary"
            busy={create.isPending}
            disabled={name.trim() === ''}
          >
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
  )
}
