import { useState } from 'react'
import {
  signingAlgorithms,
  signingKeys,
  type SigningAlgorithm,
  type PrivateJwk,
} from '#contract/projects/signing-keys'
import { useCall } from '../../../api/client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { Radio, RadioGroup } from '../../../ui/controls/Radio.tsx'
import { TextArea } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { algorithmWords } from './key-words.ts'

/**
 * What was typed or pasted, as a private JWK. For a shared secret its text is enough; a JWK is taken as it is, and what
 * is wrong in it is for the server to say.
 */
export function readKeyText(
  algorithm: SigningAlgorithm,
  typed: string,
): { jwk: PrivateJwk } | { problem: string } {
  const text = typed.trim()
  if (text === '') return { problem: 'Enter the key' }
  const json = parsed(text)
  if (json) return { jwk: json }
  if (algorithm !== 'HS256') return { problem: 'Not a JWK: a JSON object is required' }
  const bytes = new TextEncoder().encode(text)
  if (bytes.length < 32) return { problem: 'A secret needs at least 32 characters' }
  return { jwk: { kty: 'oct', k: base64url(bytes) } }
}

function parsed(text: string): PrivateJwk | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    // An object in JSON has string keys only.
    return JSON.parse(text) as PrivateJwk
  } catch {
    return undefined
  }
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const order: readonly SigningAlgorithm[] = ['ES256', 'RS256', 'EdDSA', 'HS256'].flatMap(
  (name) => signingAlgorithms.find((algorithm) => algorithm === name) ?? [],
)

/** A standby key: made by the platform, or one that somebody has already. */
export function NewKeyDialog({ projectRef, onClose }: { projectRef: string; onClose: () => void }) {
  const [algorithm, setAlgorithm] = useState<SigningAlgorithm>('ES256')
  const [importing, setImporting] = useState(false)
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const create = useCall(signingKeys.create, {
    changes: [signingKeys.list],
    onSuccess: () => {
      onClose()
      toast.success('Standby key created')
    },
  })

  function submit() {
    const input = { ref: projectRef, algorithm }
    if (!importing) return create.mutate(input)
    const read = readKeyText(algorithm, text)
    if ('problem' in read) return setProblem(read.problem)
    create.mutate({ ...input, private_jwk: read.jwk })
  }
  return (
    <FormDialog
      title="New standby key"
      verb="Create standby key"
      pending={create.isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <div className="form-stack">
        <RadioGroup label="Algorithm">
          {order.map((each) => (
            <Radio
              key={each}
              name="algorithm"
              label={algorithmWords[each].name}
              help={algorithmWords[each].about}
              checked={algorithm === each}
              onChange={() => {
                setAlgorithm(each)
                setProblem(undefined)
              }}
            />
          ))}
        </RadioGroup>
        <Checkbox
          label="Import an existing key"
          checked={importing}
          onChange={(event) => setImporting(event.target.checked)}
        />
        {importing && (
          <TextArea
            label={algorithm === 'HS256' ? 'Secret, or a JWK with it' : 'Private key as a JWK'}
            help="It is kept encrypted and never shown again."
            mono
            rows={6}
            spellCheck={false}
            autoComplete="off"
            error={problem}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setProblem(undefined)
            }}
          />
        )}
        {create.error && <Alert variant="danger" title={create.error.message} />}
      </div>
    </FormDialog>
  )
}
