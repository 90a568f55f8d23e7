import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'

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
