import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { maxStorageKeys, storageKeys, type StorageKey } from '#contract/storage/storage-keys'
import { storageSettings } from '#contract/storage/storage-settings'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Switch } from '../../../ui/controls/Switch.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { ofS3Keys, ofSettings, s3KeysQuery, settingsQuery } from './queries.ts'

/** /project/{ref}/storage/s3: where programs of the S3 protocol connect to, and what they sign with. */
export function S3Page({ projectRef }: { projectRef: string }) {
  const { data, error, refetch } = useQuery(settingsQuery(projectRef))
  const denied = useDenials(useProject(projectRef))(storageSettings.update)
  const save = useCall(storageSettings.update, { changes: ofSettings })
  const on = data?.features.s3Protocol.enabled ?? false
  return (
    <Page>
      <PageHead title="S3" help="Use the buckets of this project with any S3-compatible program." />
      {error && <ErrorNote what="Settings" error={error} onRetry={() => void refetch()} />}
      <div className="sections">
        {data && (
          <Card title="Connection">
            <div className="form-stack">
              {save.error && <Alert variant="danger" title={save.error.message} />}
              <Switch
                label="S3 protocol"
                help={denied ?? 'While it is off, all S3 requests are refused.'}
                checked={on}
                disabled={denied !== undefined || save.isPending}
                onChange={(enabled) =>
                  save.mutate({ ref: projectRef, features: { s3Protocol: { enabled } } })
                }
              />
              <CopyText label="Endpoint" text={data.s3.endpoint} what="endpoint" />
              <CopyText label="Region" text={data.s3.region} what="region" />
            </div>
          </Card>
        )}
        <KeysCard projectRef={projectRef} />
      </div>
    </Page>
  )
}

function KeysCard({ projectRef }: { projectRef: string }) {
  const why = useDenials(useProject(projectRef))
  const unseen = why(storageKeys.list)
  const query = useQuery({ ...s3KeysQuery(projectRef), enabled: unseen === undefined })
  const [making, setMaking] = useState(false)
  const [revoking, setRevoking] = useState<StorageKey>()
  const revoke = useCall(storageKeys.remove, {
    changes: ofS3Keys,
    onSuccess: () => {
      toast.success('Access key revoked')
      setRevoking(undefined)
    },
  })
  const keys = query.data?.data
  const full =
    keys && keys.length >= maxStorageKeys && `A project has at most ${maxStorageKeys} access keys`
  return (
    <Card
      title="Access keys"
      padded={false}
      end={
        <Button
          icon={Plus}
          disabledReason={why(storageKeys.create) ?? full}
          onClick={() => setMaking(true)}
        >
          New access key
        </Button>
      }
    >
      {unseen ? (
        <p className="pad muted">{unseen}.</p>
      ) : (
        <Table
          label="Access keys"
          columns={[
            { id: 'description', head: 'Description', cell: ({ description }) => description },
            {
              id: 'key',
              head: 'Access key ID',
              wideOnly: true,
              cell: ({ access_key: key }) => <span className="mono ell">{key}</span>,
            },
            {
              id: 'created',
              head: 'Created',
              width: '130px',
              cell: ({ created_at: at }) => <Time at={at} />,
            },
            {
              id: 'revoke',
              head: 'Actions',
              hideHead: true,
              width: '56px',
              numeric: true,
              cell: (key) => (
                <IconButton
                  icon={Trash2}
                  label={`Revoke ${key.description}`}
                  disabledReason={why(storageKeys.remove)}
                  onClick={() => setRevoking(key)}
                />
              ),
            },
          ]}
          rows={keys}
          keyOf={({ id }) => id}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            <EmptyState icon={KeyRound} title="No access keys yet">
              A key reaches every bucket of the project and bypasses all policies. Use it only on
              servers.
            </EmptyState>
          }
        />
      )}
      {making && <NewS3KeyDialog projectRef={projectRef} onClose={() => setMaking(false)} />}
      <ConfirmDialog
        open={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={`Revoke ${revoking?.description ?? ''}`}
        verb="Revoke access key"
        error={revoke.error?.message}
        pending={revoke.isPending}
        onConfirm={() => revoking && revoke.mutate({ ref: projectRef, id: revoking.id })}
      >
        <p>Programs that sign with it are refused from now on. This cannot be undone.</p>
      </ConfirmDialog>
    </Card>
  )
}

/** Makes an access key, and shows its secret this once. */
function NewS3KeyDialog({ projectRef, onClose }: { projectRef: string; onClose: () => void }) {
  const [description, setDescription] = useState('')
  const [tried, setTried] = useState(false)
  const create = useCall(storageKeys.create, { changes: ofS3Keys })
  const name = description.trim()
  if (create.data)
    return (
      <Dialog
        open
        title="Access key created"
        onClose={onClose}
        footer={
          <Button size="form" variant="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <div className="form-stack">
          <Alert variant="warning" title="The secret is shown only once">
            Store it where only your servers can read it.
          </Alert>
          <CopyText label="Access key ID" text={create.data.access_key} what="access key ID" />
          <CopyText label="Secret" text={create.data.secret_key} what="secret access key" />
        </div>
      </Dialog>
    )
  return (
    <FormDialog
      title="New access key"
      verb="Create access key"
      pending={create.isPending}
      onClose={onClose}
      onSubmit={() => {
        setTried(true)
        if (name !== '') create.mutate({ ref: projectRef, description: name })
      }}
    >
      <div className="form-stack">
        <TextField
          label="Description"
          autoComplete="off"
          maxLength={100}
          help="What uses it, such as the nightly backup."
          error={tried && name === '' ? 'It needs a description' : undefined}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        {create.error && <Alert variant="danger" title={create.error.message} />}
      </div>
    </FormDialog>
  )
}
