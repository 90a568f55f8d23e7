import { authOauthClients, type AuthOauthClient } from '#contract/auth/auth-oauth-clients'
import { forget, useCall } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'

type Props = { projectRef: string; client: AuthOauthClient; onClose: () => void }

export function DeleteClientDialog({ projectRef, client, onClose }: Props) {
  const remove = useCall(authOauthClients.remove, {
    onSuccess: async () => {
      onClose()
      toast.success(`${client.client_name} is deleted`)
      await forget(authOauthClients.list)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${client.client_name}?`}
      verb="Delete app"
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref: projectRef, client_id: client.client_id })}
    >
      <p>
        No one can sign in to it with their account any more, and its sessions end. This cannot be
        undone.
      </p>
    </ConfirmDialog>
  )
}
