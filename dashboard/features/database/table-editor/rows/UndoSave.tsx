import { History } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { undoMinutes, tableViews, type RowUndo } from '#contract/database/table-views'
import { pgMeta } from '#contract/database/pg-meta'
import { tableRows, type RowChange } from '#contract/database/rows/table-rows'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Tooltip } from '../../../../ui/floats/Tooltip.tsx'
import { call, forget, q, useChange } from '../../../../api/client.ts'
import { callDatabase } from '../../../../session/project/database.ts'
import { toast } from '../../../../ui/floats/toast.ts'

type Props = { projectRef: string; entity: EntityDetail; readOnly: string | undefined }

/** Takes the last save back, for half an hour after it. */
export function UndoSave({ projectRef, entity, readOnly }: Props) {
  const { undo, pending, takeBack } = useUndo(projectRef, entity)
  if (!undo || readOnly !== undefined) return null
  const what = undo.count === 1 ? '1 change' : `${undo.count} changes`
  return (
    <Tooltip text={`Undoes what was applied last: ${what}. Available for ${undoMinutes} minutes.`}>
      <Button variant="ghost" icon={History} busy={pending} onClick={takeBack}>
        <span className="words">Undo save</span>
      </Button>
    </Tooltip>
  )
}

const ofTable = (ref: string, { schema, name: table }: EntityDetail) => ({ ref, schema, table })

export const lastUndoQuery = (ref: string, entity: EntityDetail) =>
  q(tableViews.lastUndo, ofTable(ref, entity))

/** Keeps on the server what takes a save back, where a reload does not lose it. */
export async function keepUndo(
  ref: string,
  entity: EntityDetail,
  inverse: RowChange[] | null,
): Promise<boolean> {
  if (!inverse || inverse.length === 0) return false
  const id = crypto.randomUUID()
  const count = inverse.length
  try {
    await call(tableViews.keepUndo, { ...ofTable(ref, entity), id, changes: inverse, count })
  } catch {
    // The rows are saved all the same; whoever sees no "Undo" knows that it cannot be had.
    return false
  }
  await forget(tableViews.lastUndo)
  return true
}

/** The person's last save of this table, and how to take it back. */
function useUndo(projectRef: string, entity: EntityDetail) {
  const { data } = useQuery(lastUndoQuery(projectRef, entity))
  const undo = data?.undo ?? undefined
  const run = useChange(
    async ({ id, changes }: RowUndo) => {
      const input = { ref: projectRef, id: entity.id, changes }
      const { inverse } = await callDatabase(tableRows.apply, input)
      await call(tableViews.dropUndo, { ref: projectRef, id })
      await keepUndo(projectRef, entity, inverse)
    },
    {
      changes: [tableRows.list, tableRows.count, tableViews.lastUndo, pgMeta.entities],
      onSuccess: (_, { count }) => {
        toast.success(count === 1 ? 'Change undone' : `${count} changes undone`)
      },
      onError: (error) =>
        toast.error('The save could not be undone', {
          description: error.code === 409 ? 'Someone has changed these rows since.' : error.message,
        }),
    },
  )
  return { undo, pending: run.isPending, takeBack: () => undo && run.mutate(undo) }
}
