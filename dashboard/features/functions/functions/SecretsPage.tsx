import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { v1Secrets } from '#contract/v1/v1-secrets'
import { useCall } from '../../../api/client.ts'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Page, PageHead } from '../../../ui/Page.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { TextArea } from '../../../ui/controls/TextField.tsx'
import { secretsIn } from './function-files.ts'
import { ofSecrets, secretsQuery } from './queries.ts'

/** /project/{ref}/functions/secrets: what functions find in their environment. */
export function SecretsPage({ projectRef }: { projectRef: string }) {
  const query = useQuery(secretsQuery(projectRef))
  const why = useDenials(useProject(projectRef))
  const [adding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<string>()
  const remove = useCall(v1Secrets.removeSecrets, {
    changes: ofSecrets,
    onSuccess: () => {
      setLeaving(undefined)
      toast.success('Secret deleted')
    },
  })
  return (
    <Page width="list">
      <PageHead
        title="Secrets"
        help="Functions read them from Deno.env. Values are kept encrypted and never shown again."
        actions={
          <Button
            variant="primary"
            icon={Plus}
            disabledReason={why(v1Secrets.setSecrets)}
            onClick={() => setAdding(true)}
          >
            Add secrets
          </Button>
        }
      />
      <div className="card">
        <Table
          label="Secrets"
          columns={[
            {
              id: 'name',
              head: 'Name',
              sortBy: ({ name }) => name,
              cell: ({ name }) => <span className="mono ell">{name}</span>,
            },
            {
              id: 'digest',
              head: 'SHA-256',
              wideOnly: true,
              cell: ({ value }) => <span className="mono ell">{value}</span>,
            },
            {
              id: 'updated',
              head: 'Updated',
              width: '140px',
              wideOnly: true,
              cell: ({ updated_at: at }) => <Time at={at} />,
            },
            {
              id: 'actions',
              head: 'Actions',
              hideHead: true,
              width: '56px',
              numeric: true,
              cell: ({ name }) => (
                <IconButton
                  icon={Trash2}
                  label={`Delete ${name}`}
                  disabledReason={why(v1Secrets.removeSecrets)}
                  onClick={() => setLeaving(name)}
                />
              ),
            },
          ]}
          rows={query.data}
          keyOf={({ name }) => name}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            <EmptyState icon={KeyRound} title="No secrets yet">
              Store the keys of services that functions call here, not in their code.
            </EmptyState>
          }
        />
      </div>
      {adding && <SecretsDialog projectRef={projectRef} onClose={() => setAdding(false)} />}
      <ConfirmDialog
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={`Delete ${leaving}`}
        verb="Delete secret"
        error={remove.error?.message}
        pending={remove.isPending}
        onConfirm={() => leaving && remove.mutate({ ref: projectRef, names: [leaving] })}
      >
        <p>Functions can no longer read it from their next request.</p>
      </ConfirmDialog>
    </Page>
  )
}

/** One secret or many, as lines of NAME=value. */
function SecretsDialog({ projectRef, onClose }: { projectRef: string; onClose: () => void }) {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const save = useCall(v1Secrets.setSecrets, {
    changes: ofSecrets,
    onSuccess: () => {
      onClose()
      toast.success('Secrets saved')
    },
  })
  function send() {
    const read = secretsIn(text)
    if ('problem' in read) return setProblem(read.problem)
    setProblem(undefined)
    return save.mutate({ ref: projectRef, secrets: read.secrets })
  }
  return (
    <FormDialog
      title="Add secrets"
      verb="Save secrets"
      pending={save.isPending}
      onClose={onClose}
      onSubmit={send}
    >
      <div className="form-stack">
        <TextArea
          label="Names and values"
          mono
          rows={6}
          help="One per line, as NAME=value. Existing names get the new value."
          error={problem}
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {save.error && <Alert variant="danger" title={save.error.message} />}
      </div>
    </FormDialog>
  )
}
