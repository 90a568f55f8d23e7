import { useState } from 'react'
import { snippetFolders, type SnippetFolder } from '#contract/database/snippet-folders'
import { forget, useCall } from '../../../../api/client.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog } from '../../../../ui/floats/Dialog.tsx'
import { Form } from '../../../../ui/controls/Form.tsx'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { useWorkspace } from '../use-workspace.ts'

const longest = 100
type Props = {
  /** The one to rename; a new one without it. */
  folder?: SnippetFolder
  onClose: () => void
  onDone?: (folder: SnippetFolder) => void
}

/** Makes a folder, or gives one another name. */
export function NameFolderDialog({ folder, onClose, onDone }: Props) {
  const { ref } = useWorkspace()
  const [name, setName] = useState(folder?.name ?? '')
  const done = {
    onSuccess: async (made: SnippetFolder) => {
      await forget(snippetFolders.list)
      onDone?.(made)
      onClose()
    },
  }
  const create = useCall(snippetFolders.create, done)
  const rename = useCall(snippetFolders.rename, done)
  const { error } = folder ? rename : create
  const pending = create.isPending || rename.isPending
  const trimmed = name.trim()
  const invalid = trimmed.length > longest ? `A name has at most ${longest} characters` : undefined
  function submit() {
    if (!trimmed || invalid) return
    if (folder) rename.mutate({ ref, id: folder.id, name: trimmed })
    else create.mutate({ ref, name: trimmed })
  }
  return (
    <Dialog
      open
      size="small"
      onClose={onClose}
      title={folder ? 'Rename folder' : 'New folder'}
      shell={(inside) => (
        <Form error={undefined} pending={pending} onSubmit={submit}>
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
            busy={pending}
            disabled={!trimmed || Boolean(invalid) || trimmed === folder?.name}
          >
            {folder ? 'Rename' : 'Create folder'}
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        value={name}
        error={invalid ?? error?.message}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
    </Dialog>
  )
}
