import { queryPerformance } from '#contract/observability/query-performance'
import { forget } from '../../../api/client.ts'
import { useDatabaseCall } from '../../../session/project/database.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'

type Props = { projectRef: string; onClose: () => void }

export function ResetDialog({ projectRef, onClose }: Props) {
  const reset = useDatabaseCall(queryPerformance.reset, {
    onSuccess: async () => {
      await forget(queryPerformance.list)
      toast.success('Statistics reset')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      title="Reset figures"
      verb="Reset figures"
      error={reset.error?.message}
      pending={reset.isPending}
      onClose={onClose}
      onConfirm={() => reset.mutate({ ref: projectRef })}
    >
      <p>
        This deletes the figures of every statement of this database. Trends recorded until now
        stay.
      </p>
    </ConfirmDialog>
  )
}
