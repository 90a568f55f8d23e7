import { Alert } from '../../../../ui/Alert.tsx'
import { Button } from '../../../../ui/controls/Button.tsx'
import { CopyText } from '../../../../ui/text/CopyText.tsx'
import { Dialog } from '../../../../ui/floats/Dialog.tsx'

/** The one time that a token is shown. */
export function TokenShown({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Your new access token"
      footer={
        <Button size="form" variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className="form-stack">
        <Alert variant="warning" title="Copy it now">
          You will not see it again. We store only what we need to verify it.
        </Alert>
        <CopyText text={token} what="access token" />
      </div>
    </Dialog>
  )
}
