import { activity, type Session } from '#contract/database/activity'
import { forget } from '../../api/client.ts'
import { CodeBlock } from '../../ui/text/CodeBlock.tsx'
import { ConfirmDialog } from '../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../ui/floats/toast.ts'
import { useDatabaseCall } from '../../session/project/database.ts'

export type Deed = 'cancel' | 'terminate'
type Props = { projectRef: string; session: Session; deed: Deed; onClose: () => void }

/** Asks before a query is cancelled or a session ended. */
export function EndDialog({ projectRef, session, deed, onClose }: Props) {
  const { pid, started, role, kind, query } = session
  const isCancel = deed === 'cancel'
  const settled = {
    onSuccess: async () => {
      await forget(activity.list)
      toast.success(isCancel ? `The query of ${pid} is cancelled` : `Session ${pid} is ended`)
      onClose()
    },
  }
  const cancel = useDatabaseCall(activity.cancel, settled)
  const terminate = useDatabaseCall(activity.terminate, settled)
  const { error, isPending } = isCancel ? cancel : terminate
  const named = { ref: projectRef, pid, started: started ?? '' }
  return (
    <ConfirmDialog
      open
      title={isCancel ? `Cancel the query of ${pid}` : `End session ${pid}`}
      verb={isCancel ? 'Cancel query' : 'End session'}
      error={error?.message}
      pending={isPending}
      onClose={onClose}
      onConfirm={() =>
        isCancel
          ? cancel.mutate(named)
          : // The text above has said whose session it is.
            terminate.mutate({ ...named, platform: kind === 'platform' })
      }
    >
      <p>
        {isCancel
          ? 'What this statement has done is rolled back. The session stays connected.'
          : 'Its connection ends, and what it has not committed is rolled back.'}
      </p>
      {kind === 'platform' && (
        <p>
          This session belongs to a service of the platform (<span className="mono">{role}</span>).
          The service reconnects, and requests that it was answering fail.
        </p>
      )}
      {query && <CodeBlock code={query} language="sql" what="query" />}
    </ConfirmDialog>
  )
}
