import { queues, type Queue } from '#contract/integrations/queues'
import { forget } from '../../../api/client.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { counted } from '../../../ui/text/number.ts'
import { forgetMessages } from './queries.ts'

type Props = {
  projectRef: string
  queue: Pick<Queue, 'name'>
  onClose: () => void
  onDropped?: () => void
}

export function DropQueue({ projectRef, queue: { name }, onClose, onDropped }: Props) {
  const drop = useDatabaseCall(queues.drop, {
    onSuccess: async () => {
      toast.success(`${name} is dropped`)
      onClose()
      onDropped?.()
      // Not the queue itself: its page may still be there, and would ask for what is gone.
      await forget(queues.list)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Drop ${name}`}
      verb="Drop queue"
      typeName={name}
      error={drop.error?.message}
      pending={drop.isPending}
      onConfirm={() => drop.mutate({ ref: projectRef, name })}
    >
      <p>
        The queue, its archive and all messages in both are deleted. Workers and apps that use it
        get errors. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}

export function PurgeQueue({ projectRef, queue: { name }, onClose }: Props) {
  const purge = useDatabaseCall(queues.purge, {
    onSuccess: async ({ changed }) => {
      toast.success(`${counted(changed, 'message')} deleted`)
      onClose()
      await forgetMessages()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Purge ${name}`}
      verb="Purge queue"
      error={purge.error?.message}
      pending={purge.isPending}
      onConfirm={() => purge.mutate({ ref: projectRef, name })}
    >
      <p>
        All messages in the queue are deleted, including those that workers are processing. The
        archive stays. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
