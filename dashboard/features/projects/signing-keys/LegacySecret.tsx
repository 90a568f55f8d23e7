import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Callout } from '../../../ui/Callout.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { SecretText } from '../../../ui/text/SecretText.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { statusWords } from './key-words.ts'
import { settingsQuery, signingKeysQuery } from './queries.ts'

/** The secret that the project was made with, and what hangs on it. */
export function LegacySecret({ projectRef }: { projectRef: string }) {
  const settings = useQuery(settingsQuery(projectRef))
  const keys = useQuery(signingKeysQuery(projectRef))
  const status = keys.data?.keys.find(({ is_legacy: isLegacy }) => isLegacy)?.status
  const failed = [settings, keys].find(({ error, data }) => error && !data)
  if (failed?.error)
    return (
      <ErrorNote what="JWT secret" error={failed.error} onRetry={() => void failed.refetch()} />
    )
  const secret = settings.data?.jwt_secret
  return (
    <Card
      title="Legacy JWT secret"
      end={
        status && (
          <Badge tone={statusWords[status].tone} dot>
            {statusWords[status].name}
          </Badge>
        )
      }
    >
      <div className="form-stack">
        {secret !== undefined ? (
          <SecretText secret={secret} what="JWT secret" />
        ) : (
          <div className="in f" aria-disabled>
            {settings.data ? 'Your role cannot read this secret' : <Skeleton width="60%" />}
          </div>
        )}
        <p className="help">
          Anyone with this secret can sign tokens for any user and role. It signs the anon and
          service_role keys. You cannot change it, but you can replace it with a signing key and
          then revoke it.
        </p>
        {status !== 'revoked' && (
          <Callout type="warning" title="What ends when it is revoked">
            Tokens that were signed by it are refused, including those of your own programs. The
            anon and service_role keys must be disabled before. Rotate to another key first, on the
            page{' '}
            <Link to="/project/$ref/settings/jwt/signing-keys" params={{ ref: projectRef }}>
              JWT signing keys
            </Link>
            .
          </Callout>
        )}
      </div>
    </Card>
  )
}
