import { useQuery } from '@tanstack/react-query'
import { Plus, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import {
  signingKeys,
  type SigningKey,
  type SigningKeyStatus,
} from '#contract/projects/signing-keys'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { useCall } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Time } from '../../../ui/text/Time.tsx'
import { keyColumns, type Deed } from './key-columns.tsx'
import { NewKeyDialog } from './NewKeyDialog.tsx'
import { authConfigQuery, settingsQuery, signingKeysQuery, legacyKeysQuery } from './queries.ts'
import { lifetimeWords, nameOfKey, kidOf } from './key-words.ts'

type Doing = { deed: Deed; key: SigningKey } | { deed: 'new'; key?: undefined }

/** What tokens live at most while the settings are not there yet. */
const usualLifetime = 3600

/** The keys that sign tokens: the one of today, the next, and those before. */
export function SigningKeys({ projectRef }: { projectRef: string }) {
  const query = useQuery(signingKeysQuery(projectRef))
  const { data: config } = useQuery(authConfigQuery(projectRef))
  const { data: settings } = useQuery(settingsQuery(projectRef))
  const denied = useDenials(useProject(projectRef))
  const [doing, setDoing] = useState<Doing>()
  const move = useMove()
  const close = () => setDoing(undefined)

  const rows = query.data?.keys
  const current = rows?.find(({ status }) => status === 'in_use')
  const standby = rows?.find(({ status }) => status === 'standby')
  const lifetime = config?.JWT_EXP ?? usualLifetime
  const mayNotMove = denied(signingKeys.update)

  function why(deed: Deed): string | undefined {
    if (deed === 'delete') return denied(signingKeys.remove)
    if (deed === 'standby' && standby && !mayNotMove)
      return 'There is a standby key already: rotate to it, or move it away'
    return mayNotMove
  }
  function act(deed: Deed, key: SigningKey) {
    if (deed === 'standby' || deed === 'previously_used') {
      return move.mutate({ ref: projectRef, id: key.id, status: deed })
    }
    setDoing({ deed, key })
  }
  const endpoint = settings?.app_config.endpoint
  return (
    <div className="sections">
      {move.error && <Alert variant="danger" title={move.error.message} />}
      <Card
        title="Signing keys"
        padded={false}
        end={
          <>
            <Button
              icon={Plus}
              disabledReason={
                denied(signingKeys.create) ?? (standby && 'There is a standby key already')
              }
              onClick={() => setDoing({ deed: 'new' })}
            >
              Create standby key
            </Button>
            <Button
              variant="primary"
              icon={RotateCw}
              disabledReason={mayNotMove ?? (standby ? undefined : 'Create a standby key first')}
              onClick={() => standby && setDoing({ deed: 'rotate', key: standby })}
            >
              Rotate keys
            </Button>
          </>
        }
      >
        <Table
          label="Signing keys"
          columns={keyColumns({ why, onDeed: act })}
          rows={rows}
          keyOf={({ id }) => id}
          rowHeight={60}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={null}
        />
      </Card>
      {endpoint && (
        <Card title="Public keys">
          <div className="form-stack">
            <p className="help">
              Programs that verify tokens themselves read the public keys here. Shared secrets are
              not among them. Programs can cache these keys for ten minutes.
            </p>
            <CopyText
              text={`${endpoint}/auth/v1/.well-known/jwks.json`}
              what="address of the public keys"
            />
          </div>
        </Card>
      )}
      {doing?.deed === 'new' && <NewKeyDialog projectRef={projectRef} onClose={close} />}
      {doing?.deed === 'rotate' && current && (
        <RotateDialog {...{ projectRef, current, lifetime }} standby={doing.key} onClose={close} />
      )}
      {doing?.deed === 'revoke' && (
        <RevokeDialog {...{ projectRef, lifetime }} signingKey={doing.key} onClose={close} />
      )}
      {doing?.deed === 'delete' && (
        <DeleteKeyDialog projectRef={projectRef} signingKey={doing.key} onClose={close} />
      )}
    </div>
  )
}

type DeleteKeyDialogProps = { projectRef: string; signingKey: SigningKey; onClose: () => void }

function DeleteKeyDialog({ projectRef, signingKey, onClose }: DeleteKeyDialogProps) {
  const remove = useCall(signingKeys.remove, {
    changes: [signingKeys.list],
    onSuccess: () => {
      onClose()
      toast.success('Key deleted')
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Delete the revoked key"
      verb="Delete key"
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref: projectRef, id: signingKey.id })}
    >
      <p>
        The private key <span className="mono">{kidOf(signingKey)}</span> is destroyed and can never
        be put on standby again. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}

type Props = {
  projectRef: string
  current: SigningKey
  standby: SigningKey
  /** Seconds that a token lives. */
  lifetime: number
  onClose: () => void
}

/** What becomes of tokens and of those who verify them, before the standby key signs. */
function RotateDialog({ projectRef, current, standby, lifetime, onClose }: Props) {
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

type RevokeDialogProps = {
  projectRef: string
  signingKey: SigningKey
  lifetime: number
  onClose: () => void
}

/** What ends with a key, and what has to be ended before. */
function RevokeDialog({ projectRef, signingKey, lifetime, onClose }: RevokeDialogProps) {
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

const done: Record<SigningKeyStatus, string> = {
  in_use: 'The keys are rotated',
  standby: 'The key is on standby',
  previously_used: 'The key is moved to previously used',
  revoked: 'The key is revoked',
}

/** Moves a key to another status. */
const useMove = (onDone?: () => void) =>
  useCall(signingKeys.update, {
    changes: [signingKeys.list],
    onSuccess: ({ status }) => {
      onDone?.()
      toast.success(done[status])
    },
  })
