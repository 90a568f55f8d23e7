import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { snippetFolders } from '#contract/database/snippet-folders'
import { snippets } from '#contract/database/snippets'
import { forget, useCall } from '../../../../api/client.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Dialog } from '../../../../ui/floats/Dialog.tsx'
import { OptionList } from '../../../../ui/lists/OptionList.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { NameFolderDialog } from './NameFolderDialog.tsx'
import { folderListQuery } from './snippet-folders.ts'
import { useWorkspace } from '../use-workspace.ts'

type Props = { ids: readonly string[]; onClose: () => void; onMoved: () => void }

/** Puts queries into a folder, or out of any. */
export function MoveDialog({ ids, onClose, onMoved }: Props) {
  const { ref } = useWorkspace()
  const { data } = useQuery(folderListQuery(ref))
  const [chosen, setChosen] = useState<string>()
  const [isNaming, setNaming] = useState(false)
  const move = useCall(snippetFolders.move, {
    onSuccess: async (moved) => {
      toast.success(moved.length === 1 ? 'Moved' : `${moved.length} queries moved`)
      onMoved()
      onClose()
      await forget(snippets.list, snippetFolders.list)
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
