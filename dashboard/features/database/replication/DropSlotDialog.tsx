import { databaseServer, type ReplicationSlot } from '#contract/database/database-server'
import { forget } from '../../../api/client.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { bytesText } from '../../../ui/text/bytes.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'

type Props = { projectRef: string; slot: ReplicationSlot; onClose: () => void }

/** Ends a slot. It is no structure, so it becomes no migration. */
export function DropSlotDialog({ projectRef, slot, onClose }: Props) {
  const drop = useDatabaseCall(databaseServer.dropSlot, {
    onSuccess: async () => {
      await forget(databaseServer.replication)
      toast.success(`${slot.name} is deleted`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${slot.name}`}
      verb="Delete slot"
      typeName={slot.name}
      error={drop.error?.message}
      pending={drop.isPending}
      onConfirm={() => drop.mutate({ ref: projectRef, name: slot.name })}
    >
      <p>
        Its reader loses its position and must copy everything again.
        {slot.kept_bytes !== null && ` ${bytesText(slot.kept_bytes)} of log is freed.`}
      </p>
    </ConfirmDialog>
  )
}
