import { useState } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { TextField } from '../../../ui/controls/TextField.tsx'
import { problemsIn, type Party } from './parties.ts'
import { useAdd } from './use-add.ts'

type Props = { projectRef: string; party: Party; onClose: () => void }

/** The few facts by which the issuer of a well-known service is found. */
export function KnownPartyDialog({ projectRef, party, onClose }: Props) {
  const [filled, setFilled] = useState<Record<string, string>>({})
  const [problems, setProblems] = useState<Record<string, string>>({})
  const add = useAdd(onClose)

  function submit() {
    const trimmed = Object.fromEntries(
      Object.entries(filled).map(([name, text]) => [name, text.trim()]),
    )
    const found = problemsIn(party, trimmed)
    setProblems(found)
    if (Object.keys(found).length === 0)
      add.mutate({ ref: projectRef, oidc_issuer_url: party.issuerOf(trimmed) })
  }
  return (
    <FormDialog
      title={`Add ${party.title}`}
      verb="Add integration"
      pending={add.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <div className="form-stack">
        <p className="muted">{party.about}.</p>
        {party.blanks.map(({ name, label, help, placeholder }) => (
          <TextField
            key={name}
            label={label}
            help={help}
            mono
            autoComplete="off"
            spellCheck={false}
            placeholder={placeholder}
            error={problems[name]}
            value={filled[name] ?? ''}
            onChange={(event) => {
              setFilled({ ...filled, [name]: event.target.value })
              setProblems({})
            }}
          />
        ))}
        <p className="help">{party.there} Without it, requests run as anon.</p>
        {add.error && <Alert variant="danger" title={add.error.message} />}
      </div>
    </FormDialog>
  )
}
