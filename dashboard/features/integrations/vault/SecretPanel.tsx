import { useState } from 'react'
import { vault, type VaultSecret } from '#contract/integrations/vault'
import { useCall } from '../../../api/client.ts'
import { TextArea, TextField } from '../../../ui/controls/TextField.tsx'
import { FormPanel } from '../../../ui/floats/FormPanel.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetVault, keptNowhere } from './queries.ts'
import { countText } from './use-words.ts'

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
  const done = async () => {
    toast.success(`${name.trim()} is ${secret ? 'changed' : 'added'}`)
    await forgetVault()
    onClose()
  }
  const create = useCall(vault.create, { ...keptNowhere, onSuccess: done })
  const update = useCall(vault.update, { ...keptNowhere, onSuccess: done })
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
