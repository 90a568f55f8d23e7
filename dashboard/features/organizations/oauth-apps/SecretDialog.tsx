import { Alert } from '../../../ui/Alert.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { Dialog } from '../../../ui/floats/Dialog.tsx'

/** What an app needs to speak for itself. */
export type NewSecret = { name: string; client_id: string; client_secret: string | null }

/** The one time that a secret is shown. */
export function SecretDialog({ made, onClose }: { made: NewSecret; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Credentials of ${made.name}`}
      footer={
        <Button size="form" variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="form-stack">
        {made.client_secret !== null && (
          <Alert variant="warning" title="Copy the secret now">
            It is shown only once. We store only what is needed to verify it.
          </Alert>
        )}
        <div className="labelled">
          <span>Client ID</span>
          <CopyText text={made.client_id} what="client ID" />
        </div>
        {made.client_secret === null ? (
          <p className="muted">A public app has no secret: it uses PKCE at every sign-in.</p>
        ) : (
          <div className="labelled">
            <span>Client secret</span>
            <CopyText text={made.client_secret} what="client secret" />
          </div>
        )}
      </div>
    </Dialog>
  )
}
