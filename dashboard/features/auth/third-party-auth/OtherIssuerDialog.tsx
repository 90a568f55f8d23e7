import { useState } from 'react'
import { Alert } from '../../../ui/Alert.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
import { TextField, TextArea } from '../../../ui/controls/TextField.tsx'
import { keySources, readOtherIssuer, type KeySource, type OtherIssuer } from './parties.ts'
import { useAdd } from './queries.ts'

const words: Record<KeySource, { name: string; about: string }> = {
  issuer: { name: 'From the issuer', about: 'At the URL in its OpenID configuration.' },
  address: { name: 'From an address', about: 'At any URL that returns the public keys.' },
  keys: { name: 'Entered here', about: 'They stay the same until you remove the integration.' },
}
const blank: OtherIssuer = { issuer: '', source: 'issuer', address: '', keys: '' }

/** An issuer that is none of the well-known ones, or keys without one. */
export function OtherIssuerDialog({
  projectRef,
  onClose,
}: {
  projectRef: string
  onClose: () => void
}) {
  const [entered, setEntered] = useState(blank)
  const [problems, setProblems] = useState<Partial<Record<keyof OtherIssuer, string>>>({})
  const add = useAdd(onClose)
  const { issuer, source, address, keys } = entered
  function change(more: Partial<OtherIssuer>) {
    setEntered({ ...entered, ...more })
    setProblems({})
  }
  function submit() {
    const read = readOtherIssuer(entered)
    if ('problems' in read) return setProblems(read.problems)
    add.mutate({ ref: projectRef, ...read.body })
  }
  return (
    <FormDialog
      title="Add another issuer"
      verb="Add integration"
      pending={add.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <div className="form-stack">
        <TextField
          label={source === 'issuer' ? 'Issuer URL' : 'Issuer URL (optional)'}
          help="The iss claim of its tokens. Without it, any token signed by one of the keys is accepted."
          mono
          inputMode="url"
          autoComplete="off"
          placeholder="https://id.example.com"
          error={problems.issuer}
          value={issuer}
          onChange={(event) => change({ issuer: event.target.value })}
        />
        <RadioGroup label="Its public keys">
          {keySources.map((each) => (
            <Radio
              key={each}
              name="source"
              label={words[each].name}
              help={words[each].about}
              checked={source === each}
              onChange={() => change({ source: each })}
            />
          ))}
        </RadioGroup>
        {source === 'address' && (
          <TextField
            label="Address of the keys"
            mono
            inputMode="url"
            autoComplete="off"
            placeholder="https://id.example.com/.well-known/jwks.json"
            error={problems.address}
            value={address}
            onChange={(event) => change({ address: event.target.value })}
          />
        )}
        {source === 'keys' && (
          <TextArea
            label="JSON Web Key Set"
            help="Public keys for RS256, ES256 or EdDSA, each with a kid."
            mono
            rows={6}
            spellCheck={false}
            autoComplete="off"
            error={problems.keys}
            value={keys}
            onChange={(event) => change({ keys: event.target.value })}
          />
        )}
        {add.error && <Alert variant="danger" title={add.error.message} />}
      </div>
    </FormDialog>
  )
}
