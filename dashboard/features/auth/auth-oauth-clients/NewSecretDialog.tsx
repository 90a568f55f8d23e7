import { authOauthClients, type AuthOauthClient } from '#contract/auth/auth-oauth-clients'
import { useCall } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import type { NewSecret } from './SecretDialog.tsx'

type Props = {
  projectRef: string
  client: AuthOauthClient
  onClose: () => void
  onMade: (made: NewSecret) => void
}

export function NewSecretDialog({ projectRef, client, onClose, onMade }: Props) {
  const rotate = useCall(authOauthClients.rotateSecret, { onSuccess: onMade })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`New secret for ${client.client_name}?`}
      verb="Generate a new secret"
      error={rotate.error?.message}
      pending={rotate.isPending}
      onConfirm={() => rotate.mutate({ ref: projectRef, client_id: client.client_id })}
    >
      <p>
        The current secret stops working at once. The app cannot get tokens until it has the new
        one.
      </p>
    </ConfirmDialog>
  )
}
