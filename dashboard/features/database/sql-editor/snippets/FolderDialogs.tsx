import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { snippetFolders, type SnippetFolder } from '#contract/database/snippet-folders'
import { snippets } from '#contract/database/snippets'
import { useCall } from '../../../../api/client.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog } from '../../../../ui/floats/Dialog.tsx'
import { FormDialog } from '../../../../ui/floats/FormDialog.tsx'
import { OptionList } from '../../../../ui/lists/OptionList.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { TextField } from '../../../../ui/controls/TextField.tsx'
import { useWorkspace } from '../use-workspace.ts'
import { folderListQuery } from './snippet-lists.ts'

type Props = { ids: readonly string[]; onClose: () => void; onMoved: () => void }

/** Puts queries into a folder, or out of any. */
export function MoveDialog({ ids, onClose, onMoved }: Props) {
  const { ref } = useWorkspace()
  const { data } = useQuery(folderListQuery(ref))
  const [chosen, setChosen] = useState<string>()
  const [isNaming, setNaming] = useState(false)
  const move = useCall(snippetFolders.move, {
    changes: [snippets.list, snippetFolders.list],
    onSuccess: (moved) => {
      toast.success(moved.length === 1 ? 'Moved' : `${moved.length} queries moved`)
      onMoved()
      onClose()
    },
  })
  const options = [
    { value: 'none', label: 'No folder' },
    ...(data?.folders ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
  if (isNaming)
    return (
      <NameFolderDialog
        onClose={() => setNaming(false)}
        onDone={(folder) => setChosen(folder.id)}
      />
    )
  return (
    <Dialog
      open
      size="small"
      onClose={onClose}
      title={ids.length === 1 ? 'Move query' : `Move ${ids.length} queries`}
      footer={
        <>
          <Button size="form" onClick={() => setNaming(true)}>
            New folder
          </Button>
          <span className="grow" />
          <Button size="form" onClick={onClose}>
            Cancel
          </Button>
          <Button
            size="form"
            variant="primary"
            busy={move.isPending}
            disabled={chosen === undefined}
            onClick={() =>
              chosen &&
              move.mutate({ ref, ids: [...ids], folder_id: chosen === 'none' ? null : chosen })
            }
          >
            Move
          </Button>
        </>
      }
    >
      <OptionList
        label="Folder"
        options={options}
        value={chosen}
        search={options.length > 8 ? 'Search' : undefined}
        onSelect={setChosen}
      />
      {move.error && <p className="tone-danger">{move.error.message}</p>}
    </Dialog>
  )
}

const longest = 100
type NameFolderDialogProps = {
  /** The one to rename; a new one without it. */
  folder?: SnippetFolder
  onClose: () => void
  onDone?: (folder: SnippetFolder) => void
}

/** Makes a folder, or gives one another name. */
export function NameFolderDialog({ folder, onClose, onDone }: NameFolderDialogProps) {
  const { ref } = useWorkspace()
  const [name, setName] = useState(folder?.name ?? '')
  const done = {
    changes: [snippetFolders.list],
    onSuccess: (made: SnippetFolder) => {
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
    <FormDialog
      title={folder ? 'Rename folder' : 'New folder'}
      size="small"
      verb={folder ? 'Rename' : 'Create folder'}
      disabled={!trimmed || Boolean(invalid) || trimmed === folder?.name}
      pending={pending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        error={invalid ?? error?.message}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}
