import { queues, type Queue } from '#contract/integrations/queues'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { counted } from '../../../ui/text/number.ts'
import { ofMessages } from './queries.ts'

type Props = {
  projectRef: string
  queue: Pick<Queue, 'name'>
  onClose: () => void
  /** Leaves the page of the queue. */
  onDropped?: (() => unknown) | undefined
}

export function DropQueue({ projectRef, queue: { name }, onClose, onDropped }: Props) {
  const drop = useDatabaseCall(queues.drop, {
    onAnswer: () => onDropped?.(),
    // Not the queue itself, which is gone.
    changes: [queues.list],
    onSuccess: () => {
      toast.success(`${name} is dropped`)
      onClose()
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
    changes: ofMessages,
    onSuccess: ({ changed }) => {
      toast.success(`${counted(changed, 'message')} deleted`)
      onClose()
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
