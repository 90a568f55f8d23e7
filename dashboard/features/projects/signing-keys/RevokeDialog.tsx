import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SigningKey } from '#contract/projects/signing-keys'
import { Alert } from '../../../ui/Alert.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { lifetimeWords, nameOfKey } from './key-words.ts'
import { legacyKeysQuery } from './queries.ts'
import { useMove } from './use-key-change.ts'

type Props = { projectRef: string; signingKey: SigningKey; lifetime: number; onClose: () => void }

/** What ends with a key, and what has to be ended before. */
export function RevokeDialog({ projectRef, signingKey, lifetime, onClose }: Props) {
  const { id, is_legacy: isLegacy, updated_at: since } = signingKey
  const move = useMove(onClose)
  const legacy = useQuery({ ...legacyKeysQuery(projectRef), enabled: isLegacy })
  const name = nameOfKey(signingKey)
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Revoke ${name}`}
      verb="Revoke key"
      error={move.error?.message}
      pending={move.isPending}
      onConfirm={() => move.mutate({ ref: projectRef, id, status: 'revoked' })}
    >
      <div className="form-stack">
        <p>
          Tokens that this key has signed are refused from their next request on. People whose app
          cannot refresh the session must sign in again.
        </p>
        <p>
          Tokens are valid for {lifetimeWords(lifetime)}. The key stopped signing:{' '}
          <Time at={since} />.
        </p>
        {isLegacy && (
          <ul className="lost">
            <li>The anon and service_role keys cannot be enabled as long as it is revoked.</li>
            <li>Tokens that you have signed with the JWT secret yourself are refused.</li>
          </ul>
        )}
        {isLegacy && legacy.data?.enabled && (
          <Alert variant="warning" title="Disable the legacy API keys first">
            They are signed by this secret.{' '}
            <Link to="/project/$ref/settings/api-keys/legacy" params={{ ref: projectRef }}>
              Legacy API keys
            </Link>
          </Alert>
        )}
      </div>
    </ConfirmDialog>
  )
}
