import { useQuery } from '@tanstack/react-query'
import { Plus, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { signingKeys, type SigningKey } from '#contract/projects/signing-keys'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/use-project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { forget, useCall } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { keyColumns, type Deed } from './key-columns.tsx'
import { NewKeyDialog } from './NewKeyDialog.tsx'
import { authConfigQuery, settingsQuery, signingKeysQuery } from './queries.ts'
import { RevokeDialog } from './RevokeDialog.tsx'
import { RotateDialog } from './RotateDialog.tsx'
import { useMove } from './use-key-change.ts'
import { kidOf } from './key-words.ts'

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
    onSuccess: async () => {
      onClose()
      toast.success('Key deleted')
      await forget(signingKeys.list)
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
