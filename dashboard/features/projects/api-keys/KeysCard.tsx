import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { useForm, type FieldErrors, type UseFormRegister } from 'react-hook-form'
import { apiKeys, type ApiKey, type ApiKeyType } from '#contract/projects/api-keys'
import { inProject } from '#contract/permissions'
import { useDenials } from '../../../session/organization/permissions.ts'
import { useProject } from '../../../session/project/project.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Table } from '../../../ui/lists/Table.tsx'
import { useCall } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { ofKeys, apiKeysQuery } from './queries.ts'
import { descriptionProblem, keyNameProblem } from './key-rules.ts'
import { keyColumns } from './key-columns.tsx'
import './api-keys.css'

const words: Record<ApiKeyType, { title: string; help: string; none: string }> = {
  publishable: {
    title: 'Publishable keys',
    help: 'For web pages and apps, where anyone can read them. Row level security decides what they see.',
    none: 'Create one for a web page or an app.',
  },
  secret: {
    title: 'Secret keys',
    help: 'For your servers only. They bypass every policy, and requests from browsers with them are refused.',
    none: 'Create one for each server or script, so that you can delete one without the others.',
  },
}

type Doing = { what: 'new' } | { what: 'edit' | 'delete'; key: ApiKey }

/** All keys of one type, and what can be done with them. */
export function KeysCard({ projectRef, type }: { projectRef: string; type: ApiKeyType }) {
  const query = useQuery(apiKeysQuery(projectRef))
  const why = useDenials(useProject(projectRef))
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  const { title, help, none } = words[type]
  const unreadable = why(apiKeys.get)
  const make = (
    <Button
      icon={Plus}
      disabledReason={why(apiKeys.create)}
      onClick={() => setDoing({ what: 'new' })}
    >
      New {type} key
    </Button>
  )
  return (
    <Card title={title} end={make} padded={false}>
      <p className="help card-help">{help}</p>
      <Table
        label={title}
        columns={keyColumns({
          projectRef,
          why,
          mayNotReveal: why({ needs: inProject('read:Read', 'service_api_keys.service_role_key') }),
          onEdit: (key) => setDoing({ what: 'edit', key }),
          onDelete: (key) => setDoing({ what: 'delete', key }),
        })}
        rows={query.data?.filter((key) => key.type === type)}
        keyOf={({ id }) => id}
        rowHeight={60}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={
          <EmptyState
            icon={KeyRound}
            title={unreadable ? 'Keys are not shown' : `No ${type} key yet`}
          >
            {unreadable ? 'Your role cannot read the keys of this project.' : none}
          </EmptyState>
        }
      />
      {doing?.what === 'new' && <NewKeyDialog {...{ projectRef, type }} onClose={close} />}
      {doing?.what === 'edit' && (
        <EditKeyDialog projectRef={projectRef} apiKey={doing.key} onClose={close} />
      )}
      {doing?.what === 'delete' && (
        <DeleteKeyDialog projectRef={projectRef} apiKey={doing.key} onClose={close} />
      )}
    </Card>
  )
}

type Props = { projectRef: string; apiKey: ApiKey; onClose: () => void }

function DeleteKeyDialog({ projectRef, apiKey, onClose }: Props) {
  const { id, name, type, last_used_at: usedAt } = apiKey
  const remove = useCall(apiKeys.remove, {
    changes: ofKeys,
    onSuccess: () => {
      onClose()
      toast.success(`${name} is deleted`)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete the ${type} key ${name}`}
      verb="Delete key"
      typeName={name}
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref: projectRef, id })}
    >
      <p>
        Anything that uses this key is refused from its next request. This cannot be undone, and a
        new key has a different value.
      </p>
      <p>
        {usedAt ? (
          <>
            Last used: <Time at={usedAt} />
          </>
        ) : (
          'It has not been used yet.'
        )}
      </p>
    </ConfirmDialog>
  )
}

type EditKeyDialogProps = { projectRef: string; apiKey: ApiKey; onClose: () => void }

/** Another name or description; the key itself stays as it is. */
function EditKeyDialog({
  projectRef,
  apiKey: { id, name, description },
  onClose,
}: EditKeyDialogProps) {
  const { register, handleSubmit, formState } = useForm<KeyValues>({
    defaultValues: { name, description: description ?? '' },
  })
  const update = useCall(apiKeys.update, {
    changes: ofKeys,
    onSuccess: () => {
      onClose()
      toast.success('Key saved')
    },
  })
  return (
    <FormDialog
      title={`Edit ${name}`}
      verb="Save"
      disabled={!formState.isDirty}
      pending={update.isPending}
      onClose={onClose}
      onSubmit={handleSubmit((values) =>
        update.mutate({
          ref: projectRef,
          id,
          name: values.name.trim(),
          description: values.description,
        }),
      )}
    >
      <div className="form-stack">
        <KeyFields register={register} errors={formState.errors} />
        {update.error && <Alert variant="danger" title={update.error.message} />}
      </div>
    </FormDialog>
  )
}

type NewKeyDialogProps = { projectRef: string; type: ApiKeyType; onClose: () => void }

/** Name and description of a new key, then the key itself. */
function NewKeyDialog({ projectRef, type, onClose }: NewKeyDialogProps) {
  const { register, handleSubmit, formState } = useForm<KeyValues>({
    defaultValues: { name: '', description: '' },
  })
  const create = useCall(apiKeys.create, { changes: ofKeys })
  if (create.data) return <KeyShown type={type} text={create.data.api_key} onClose={onClose} />
  return (
    <FormDialog
      title={`New ${type} key`}
      verb="Create key"
      pending={create.isPending}
      onClose={onClose}
      onSubmit={handleSubmit(({ name, description }) =>
        create.mutate({ ref: projectRef, type, name: name.trim(), description }),
      )}
    >
      <div className="form-stack">
        <KeyFields register={register} errors={formState.errors} />
        <p className="help">
          {type === 'secret'
            ? 'For your servers only: it acts as the role service_role, which bypasses every policy.'
            : 'For pages and apps: it acts as the role anon until someone signs in, and row level security decides what it sees.'}
        </p>
        {create.error && <Alert variant="danger" title={create.error.message} />}
      </div>
    </FormDialog>
  )
}

type ShownProps = { type: ApiKeyType; text: string; onClose: () => void }

const KeyShown = ({ type, text, onClose }: ShownProps) => (
  <Dialog
    open
    onClose={onClose}
    title={`Your new ${type} key`}
    footer={
      <Button size="form" variant="primary" onClick={onClose}>
        Done
      </Button>
    }
  >
    <div className="form-stack">
      <CopyText text={text} what={`${type} key`} />
      {type === 'secret' && (
        <Alert variant="warning" title="Keep it on your servers">
          Never put it into a page, an app or a repository: anyone who has it can read and change
          everything. Requests from browsers with it are refused.
        </Alert>
      )}
    </div>
  </Dialog>
)

type KeyValues = { name: string; description: string }

type KeyFieldsProps = { register: UseFormRegister<KeyValues>; errors: FieldErrors<KeyValues> }

/** Name and description of a key. */
const KeyFields = ({ register, errors }: KeyFieldsProps) => (
  <>
    <TextField
      label="Name"
      mono
      autoComplete="off"
      help="Lower-case letters, digits and underscores, such as the name of the server that uses it."
      error={errors.name?.message}
      {...register('name', { validate: (name) => keyNameProblem(name.trim()) ?? true })}
    />
    <TextField
      label="Description (optional)"
      autoComplete="off"
      error={errors.description?.message}
      {...register('description', { validate: (text) => descriptionProblem(text) ?? true })}
    />
  </>
)
