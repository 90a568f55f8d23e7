import { useNavigate } from '@tanstack/react-router'
import { snippets, type SnippetListItem } from '#contract/database/snippets'
import { forget, useCall } from '../../../../api/client.ts'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { useWorkspace } from '../use-workspace.ts'

type Props = { snippet: SnippetListItem; isCurrent: boolean; onClose: () => void }

export function DeleteSnippetDialog({
  snippet: { id, name, visibility },
  isCurrent,
  onClose,
}: Props) {
  const { ref, queries, runs, tabs } = useWorkspace()
  const navigate = useNavigate()
  const remove = useCall(snippets.remove, {
    onSuccess: async () => {
      const next = tabs.close(id)
      if (isCurrent)
        await navigate({
          to: '/project/$ref/sql/$id',
          params: { ref, id: next ?? 'new' },
          replace: true,
        })
      queries.remove(id)
      runs.forget(id)
      toast.success(`${name} was deleted`)
      onClose()
      await forget(snippets.list, snippets.count)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${name}?`}
      verb="Delete query"
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref, ids: id })}
    >
      <p>
        Its text is deleted permanently
        {visibility === 'project' ? ', for everybody in this project.' : '.'}
      </p>
    </ConfirmDialog>
  )
}
