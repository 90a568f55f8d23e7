import type { AccessToken } from '#contract/people/access-tokens'
import { api } from '#contract/api'
import { forget, useCall } from '../../../../api/client.ts'
import { ConfirmDialog } from '../../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../../ui/floats/toast.ts'

type Props = { token: AccessToken; onClose: () => void }

export function RevokeTokenDialog({ token: { id, name }, onClose }: Props) {
  const revoke = useCall(api.accessTokens.remove, {
    onSuccess: async () => {
      onClose()
      toast.success(`${name} is revoked`)
      await forget(api.accessTokens.list)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Revoke ${name}?`}
      verb="Revoke token"
      error={revoke.error?.message}
      pending={revoke.isPending}
      onConfirm={() => revoke.mutate({ id })}
    >
      <p>Anything that uses it is refused from its next request. This cannot be undone.</p>
    </ConfirmDialog>
  )
}
