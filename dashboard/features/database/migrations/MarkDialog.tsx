import { useState } from 'react'
import { migrationTools } from '#contract/database/migration-tools'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { Form } from '../../../ui/controls/Form.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { readFileName } from './pending-files.ts'
import { forgetMigrations } from './queries.ts'

type Props = { projectRef: string; onClose: () => void }

/** Records a migration whose change was made by hand. */
export function MarkDialog({ projectRef, onClose }: Props) {
  const [file, setFile] = useState('')
  const mark = useDatabaseCall(migrationTools.mark, {
    onSuccess: async ({ version }) => {
      toast.success(`${version} is marked as applied`)
      onClose()
      await forgetMigrations()
    },
  })
  const read = readFileName(file) ?? readFileName(`${file.trim()}.sql`)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Mark as applied"
      shell={(inside) => (
        <Form
          error={mark.error?.message}
          pending={mark.isPending}
          onSubmit={() => read && mark.mutate({ ref: projectRef, ...read, as: 'applied' })}
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
            busy={mark.isPending}
            disabled={!read}
          >
            Mark as applied
          </Button>
        </>
      }
    >
      <TextField
        label="Version or file name"
        mono
        autoComplete="off"
        placeholder="20260131235959_add_books.sql"
        help="This only adds the record and runs nothing. Migration tools will no longer run this version."
        value={file}
        onChange={({ target }) => setFile(target.value)}
      />
    </Dialog>
  )
}
