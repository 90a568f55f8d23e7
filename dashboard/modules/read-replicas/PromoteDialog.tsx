import type { Replica } from '#contract/projects/replicas'
import { ConfirmDialog } from '../../ui/floats/ConfirmDialog.tsx'
import { bytesText } from '../../ui/text/number.ts'

type Props = {
  replica: Replica
  isPrimaryUp: boolean
  error: string | undefined
  pending: boolean
  onClose: () => void
  onConfirm: (force: boolean) => void
}

/** Asks before a replica takes the place of the primary: without loss while that runs, else by force. */
export function PromoteDialog({ replica, isPrimaryUp, onConfirm, ...rest }: Props) {
  const { identifier, lag_bytes: lag } = replica
  return (
    <ConfirmDialog
      open
      title={`Promote ${identifier} to primary?`}
      verb="Promote to primary"
      danger={!isPrimaryUp}
      {...(isPrimaryUp ? {} : { typeName: identifier })}
      onConfirm={() => onConfirm(!isPrimaryUp)}
      {...rest}
    >
      {isPrimaryUp ? (
        <p>
          The project restarts on {identifier}, which takes a few seconds. No acknowledged write is
          lost: if {identifier} lacks any, the project goes on as it was.
        </p>
      ) : (
        <p>
          The primary does not answer, so {identifier} is promoted without it. Writes that{' '}
          {identifier} has not received are lost
          {lag === null ? '.' : `: ${bytesText(lag)} of the write-ahead log at the last look.`}
        </p>
      )}
      <p>
        Addresses, passwords and keys stay as they are. The present primary is removed, replication
        slots end, other replicas are copied anew, and point-in-time recovery begins again with the
        next backup.
      </p>
    </ConfirmDialog>
  )
}
