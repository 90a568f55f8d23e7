import { useState } from 'react'
import { authOauthClients, type AuthOauthClient } from '#contract/auth/auth-oauth-clients'
import { redirectUriProblem } from '#contract/organizations/redirect-uri'
import { useCall } from '../../../api/client.ts'
import { Alert } from '../../../ui/Alert.tsx'
import { Checkbox } from '../../../ui/controls/Checkbox.tsx'
import { FormDialog } from '../../../ui/floats/FormDialog.tsx'
import { TextField, TextArea } from '../../../ui/controls/TextField.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'

type Props = {
  projectRef: string
  /** Undefined for one to be registered. */
  client: AuthOauthClient | undefined
  onClose: () => void
  onMade: (made: NewSecret) => void
}

/** Registers an app, or changes its name and where its users are led back to. */
export function ClientDialog({ projectRef, client, onClose, onMade }: Props) {
  const [name, setName] = useState(client?.client_name ?? '')
  const [addresses, setAddresses] = useState(client?.redirect_uris.join('\n') ?? '')
  const [isPublic, setPublic] = useState(false)
  const [checked, setChecked] = useState(false)
  const create = useCall(authOauthClients.create, {
    changes: [authOauthClients.list],
    onSuccess: onMade,
  })
  const update = useCall(authOauthClients.update, {
    changes: [authOauthClients.list],
    onSuccess: (saved) => {
      onClose()
      toast.success(`${saved.client_name} is saved`)
    },
  })
  const { error, isPending } = client ? update : create
  const nameProblem = name.trim() === '' ? 'Give the app a name' : undefined
  const addressProblem = addressesProblem(addresses)

  function submit() {
    setChecked(true)
    if (nameProblem || addressProblem) return
    const values = {
      ref: projectRef,
      client_name: name.trim(),
      redirect_uris: addressesIn(addresses),
    }
    if (client) return update.mutate({ ...values, client_id: client.client_id })
    create.mutate({ ...values, client_type: isPublic ? 'public' : 'confidential' })
  }
  return (
    <FormDialog
      title={client ? `Edit ${client.client_name}` : 'Register an app'}
      verb={client ? 'Save app' : 'Register app'}
      pending={isPending}
      onClose={onClose}
      onSubmit={submit}
    >
      <div className="form-stack">
        <TextField
          label="Name"
          help="Users see it when the app asks for access."
          autoComplete="off"
          maxLength={200}
          error={checked ? nameProblem : undefined}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextArea
          label="Redirect addresses"
          help="One per line. They must match exactly: no wildcards."
          mono
          rows={4}
          spellCheck={false}
          autoComplete="off"
          placeholder="https://example.com/oauth/callback"
          error={checked ? addressProblem : undefined}
          value={addresses}
          onChange={(event) => setAddresses(event.target.value)}
        />
        {!client && (
          <Checkbox
            label="Public client: it runs where a secret cannot be kept, so it gets none. This cannot be changed later."
            checked={isPublic}
            onChange={(event) => setPublic(event.target.checked)}
          />
        )}
        {error && <Alert variant="danger" title={error.message} />}
      </div>
    </FormDialog>
  )
}

/** What an app needs to ask for tokens. */
export type NewSecret = { client_name: string; client_id: string; client_secret: string | null }

/** The one time that a secret is shown. */
export function SecretDialog({ made, onClose }: { made: NewSecret; onClose: () => void }) {
  const { client_name: name, client_id: id, client_secret: secret } = made
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Credentials of ${name}`}
      footer={
        <Button size="form" variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="form-stack">
        {secret !== null && (
          <Alert variant="warning" title="Copy the secret now">
            You will not see it again. Only its hash is stored.
          </Alert>
        )}
        <div className="labelled">
          <span>Client ID</span>
          <CopyText text={id} what="client ID" />
        </div>
        {secret === null ? (
          <p className="muted">A public app has no secret: it uses PKCE instead.</p>
        ) : (
          <div className="labelled">
            <span>Client secret</span>
            <CopyText text={secret} what="client secret" />
          </div>
        )}
      </div>
    </Dialog>
  )
}

/** Redirect addresses, one a line. */
export const addressesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** What is wrong with them; undefined when an app can have them. */
export function addressesProblem(text: string): string | undefined {
  const addresses = addressesIn(text)
  if (addresses.length === 0) return 'An app needs one'
  if (addresses.length > 20) return 'At most 20'
  const wrong = addresses.map((one) => [one, redirectUriProblem(one)] as const)
  const [first, problem] = wrong.find(([, each]) => each !== undefined) ?? []
  return problem && `${first} ${problem}`
}
