import type { SnippetListItem } from '#contract/database/snippets'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { useSnippetChange } from './use-snippet-change.ts'

type Props = { snippet: SnippetListItem; onClose: () => void }

/** Asks before a query becomes visible to everyone in the project, or stops being so. */
export function ShareDialog({ snippet: { id, name, visibility }, onClose }: Props) {
  const { change, isPending, error } = useSnippetChange()
  const shared = visibility === 'project'

  async function confirm() {
    if (!(await change(id, { visibility: shared ? 'user' : 'project' }))) return
    toast.success(shared ? `${name} is private again` : `${name} is shared`)
    onClose()
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={shared ? `Stop sharing ${name}?` : `Share ${name}?`}
      verb={shared ? 'Stop sharing' : 'Share query'}
      danger={shared}
      error={error}
      pending={isPending}
      onConfirm={() => void confirm()}
    >
      <p>
        {shared
          ? 'Only you will see it. It disappears from the lists of everybody else in this project.'
          : 'Everybody in this project can read and run it. Only you can change it.'}
      </p>
    </ConfirmDialog>
  )
}
