import type { SigningKey } from '#contract/projects/signing-keys'
import { Alert } from '../../../ui/Alert.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { lifetimeWords, nameOfKey } from './key-words.ts'
import { useMove } from './use-key-change.ts'

type Props = {
  projectRef: string
  current: SigningKey
  standby: SigningKey
  /** Seconds that a token lives. */
  lifetime: number
  onClose: () => void
}

/** What becomes of tokens and of those who verify them, before the standby key signs. */
export function RotateDialog({ projectRef, current, standby, lifetime, onClose }: Props) {
  const move = useMove(onClose)
  const toPublic = current.algorithm === 'HS256' && standby.algorithm !== 'HS256'
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Rotate the signing keys"
      verb="Rotate keys"
      danger={false}
      error={move.error?.message}
      pending={move.isPending}
      onConfirm={() => move.mutate({ ref: projectRef, id: standby.id, status: 'in_use' })}
    >
      <div className="form-stack">
        <p>
          From now on <b>{nameOfKey(standby)}</b> signs in place of <b>{nameOfKey(current)}</b>.
        </p>
        <ul className="lost">
          <li>New tokens, including refreshed ones, are signed by the new key at once.</li>
          <li>
            Existing tokens stay valid until they expire, {lifetimeWords(lifetime)} at most. Nobody
            is signed out.
          </li>
          <li>
            The current key becomes “previously used”. Revoke it once its last tokens have expired.
          </li>
        </ul>
        {toPublic && (
          <Alert variant="warning" title="Check services that verify tokens themselves">
            Servers that verify tokens with the JWT secret will refuse the new ones. Configure them
            to read the public keys of the project first.
          </Alert>
        )}
      </div>
    </ConfirmDialog>
  )
}
