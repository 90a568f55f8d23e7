import { snippetFolders, type SnippetFolder } from '#contract/database/snippet-folders'
import { snippets } from '#contract/database/snippets'
import { forget, useCall } from '../../../../api/client.ts'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { useWorkspace } from '../use-workspace.ts'

type Props = { folder: SnippetFolder; onClose: () => void }

export function DeleteFolderDialog({ folder: { id, name, count }, onClose }: Props) {
  const { ref } = useWorkspace()
  const remove = useCall(snippetFolders.remove, {
    onSuccess: async () => {
      onClose()
      await forget(snippetFolders.list, snippets.list)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete the folder ${name}?`}
      verb="Delete folder"
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref, id })}
    >
      <p>
        {count === 0
          ? 'It is empty.'
          : `No query is lost: its ${count === 1 ? 'one query stays' : `${count} queries stay`}, outside of any folder.`}
      </p>
    </ConfirmDialog>
  )
}
