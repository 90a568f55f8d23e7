import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { vault, type VaultSecret, type VaultUse } from '#contract/integrations/vault'
import { useCall } from '../../../api/client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { TextArea, TextField } from '../../../ui/controls/TextField.tsx'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { FormPanel } from '../../../ui/floats/FormPanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { ofVault, keptNowhere, usesQuery } from './queries.ts'
import { countText, kindOf, noteOf, placeOf } from './use-words.ts'

type Props = {
  projectRef: string
  /** The one that is changed. */
  secret?: VaultSecret | undefined
  names: readonly string[]
  /** Places whose SQL names it as it is called now. */
  usedIn: number
  onClose: () => void
}

export const nameOf = ({ name, id }: Pick<VaultSecret, 'name' | 'id'>): string =>
  name ?? `Secret ${id.slice(0, 8)}`

const renaming = (usedIn: number) =>
  `SQL in ${countText(usedIn)} names it as it was, and finds nothing until you change it there.`

/** Adds a secret, or changes one. A value is typed anew: the one that there is does not come here. */
export function SecretPanel({ projectRef, secret, names, usedIn, onClose }: Props) {
  const [name, setName] = useState(secret?.name ?? '')
  const [description, setDescription] = useState(secret?.description ?? '')
  const [value, setValue] = useState('')
  const [sent, setSent] = useState(false)
  const done = {
    ...keptNowhere,
    changes: ofVault,
    onSuccess: () => {
      toast.success(`${name.trim()} is ${secret ? 'changed' : 'added'}`)
      onClose()
    },
  }
  const create = useCall(vault.create, done)
  const update = useCall(vault.update, done)
  const isTaken = name.trim() !== secret?.name && names.includes(name.trim())
  const isRenamed = secret !== undefined && name.trim() !== secret.name
  const nameProblem = isTaken ? 'There is a secret with this name' : 'Enter a name'
  const problems = {
    name: name.trim() === '' || isTaken ? nameProblem : undefined,
    value: secret || value !== '' ? undefined : 'Enter the value of the secret',
  }
  const shown = sent ? problems : { name: undefined, value: undefined }
  const send = () => {
    setSent(true)
    if (problems.name || problems.value) return
    const input = { ref: projectRef, name: name.trim(), description: description.trim() }
    if (!secret) create.mutate({ ...input, value })
    else update.mutate({ ...input, id: secret.id, ...(value !== '' && { value }) })
  }
  const pending = create.isPending || update.isPending
  return (
    <FormPanel
      title={secret ? `Change ${nameOf(secret)}` : 'Add a secret'}
      verb={secret ? 'Save secret' : 'Add secret'}
      error={(create.error ?? update.error)?.message}
      pending={pending}
      onSubmit={send}
      onClose={onClose}
    >
      <TextField
        label="Name"
        mono
        autoComplete="off"
        spellCheck={false}
        help={isRenamed && usedIn > 0 ? renaming(usedIn) : 'By which SQL finds it.'}
        error={shown.name}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Description"
        autoComplete="off"
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <TextArea
        label={secret ? 'New value' : 'Value'}
        mono
        rows={5}
        autoComplete="off"
        spellCheck={false}
        help={
          secret ? 'Leave it empty to keep the current value.' : 'Encrypted before it is stored.'
        }
        error={shown.value}
        value={value}
        onChange={(event) => setValue(event.target.value)}
      />
    </FormPanel>
  )
}

type RemoveSecretProps = { projectRef: string; secret: VaultSecret; onClose: () => void }

/** Asks before a secret is deleted, and says first what would look for it in vain. */
export function RemoveSecret({ projectRef, secret, onClose }: RemoveSecretProps) {
  const uses = useQuery({ ...usesQuery(projectRef), staleTime: 0 })
  const remove = useCall(vault.remove, {
    changes: ofVault,
    onSuccess: () => {
      toast.success(`${nameOf(secret)} is deleted`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${nameOf(secret)}`}
      verb="Delete secret"
      waits={uses.isFetching}
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref: projectRef, id: secret.id })}
    >
      <p>
        SQL that reads this secret finds nothing from now on. Its value cannot be recovered, except
        from a backup.
      </p>
      <UsesNote
        uses={
          uses.isFetching ? undefined : uses.data?.uses.filter((use) => use.secret === secret.id)
        }
        error={uses.isFetching ? undefined : uses.error?.message}
      />
    </ConfirmDialog>
  )
}

type NoteProps = { uses: readonly VaultUse[] | undefined; error: string | undefined }

function UsesNote({ uses, error }: NoteProps) {
  if (error)
    return (
      <Alert variant="warning" title="What uses this secret could not be found out">
        {error}
      </Alert>
    )
  if (!uses) return <p className="muted">Looking for what uses this secret…</p>
  if (uses.length === 0)
    return <p className="muted">No SQL in this database contains its name or ID.</p>
  return (
    <Alert variant="warning" title={`This secret is used in ${countText(uses.length)}`}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a long list scrolls in its box */}
      <ul className="dependents" tabIndex={0} aria-label="What uses this secret">
        {uses.map((use) => (
          <li key={[use.kind, use.schema, use.owner, use.name, use.through].join('\n')}>
            {kindOf(use)} <span className="mono">{placeOf(use)}</span>
            {noteOf(use) && <span className="muted t12"> {noteOf(use)}</span>}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
