import { useState } from 'react'
import { snippets } from '#contract/database/snippets'
import { snippetFolders } from '#contract/database/snippet-folders'
import { forget, useCall } from '../../../../api/client.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../../ui/floats/toast.ts'
import { MoveDialog } from './MoveDialog.tsx'
import { useWorkspace } from '../use-workspace.ts'

type Props = { ids: readonly string[]; onClear: () => void }

/** What can be done with several queries at once. */
export function SelectionBar({ ids, onClear }: Props) {
  const { ref, queries, runs, tabs } = useWorkspace()
  const [asked, setAsked] = useState<'move' | 'delete'>()
  const remove = useCall(snippets.remove, {
    onSuccess: async (removed) => {
      for (const { id } of removed) {
        tabs.close(id)
        queries.remove(id)
        runs.forget(id)
      }
      toast.success(`${removed.length} queries were deleted`)
      onClear()
      await forget(snippets.list, snippets.count, snippetFolders.list)
    },
  })
  return (
    <div className="sql-selection" role="toolbar" aria-label="Chosen queries">
      <span className="grow tn">{ids.length} chosen</span>
      <Button
        disabledReason={ids.length === 0 && 'Choose queries first'}
        onClick={() => setAsked('move')}
      >
        Move
      </Button>
      <Button
        disabledReason={ids.length === 0 && 'Choose queries first'}
        onClick={() => setAsked('delete')}
      >
        Delete
      </Button>
      <Button variant="ghost" onClick={onClear}>
        Done
      </Button>
      {asked === 'move' && (
        <MoveDialog ids={ids} onClose={() => setAsked(undefined)} onMoved={onClear} />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          open
          onClose={() => setAsked(undefined)}
          title={`Delete ${ids.length} ${ids.length === 1 ? 'query' : 'queries'}?`}
          verb="Delete"
          error={remove.error?.message}
          pending={remove.isPending}
          onConfirm={() => remove.mutate({ ref, ids: ids.join(',') })}
        >
          <p>Their texts are deleted permanently. Queries of other people are kept.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
