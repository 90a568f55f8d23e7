import { pgMeta } from '#contract/pg-meta'
import type { EntityDetail } from '#contract/pg-meta-shapes'
import { forget } from '../../api/client.ts'
import { useDatabaseCall } from '../../session/database.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast } from '../../ui/toast.ts'

type Props = {
  projectRef: string
  entity: EntityDetail
  onClose: () => void
  onDeleted: () => void
}

export function DeleteTableDialog({ projectRef, entity, onClose, onDeleted }: Props) {
  const remove = useDatabaseCall(pgMeta.deleteTable, {
    onSuccess: async () => {
      toast.success(`${entity.name} is deleted`)
      onDeleted()
      await forget(pgMeta.entities)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${entity.name}`}
      verb="Delete table"
      typeName={entity.name}
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref: projectRef, id: entity.id })}
    >
      <p>This deletes the table with all its rows. It cannot be undone.</p>
      <ul className="lost">
        <li>
          Every row in it
          {entity.rows_estimate ? `, about ${entity.rows_estimate.toLocaleString('en')}` : ''}
        </li>
        <li>Its policies, indexes and triggers</li>
        <li>Its place in the API: apps that read it stop working</li>
      </ul>
    </ConfirmDialog>
  )
}
