import { api } from '#contract/api'
import type { OAuthApp } from '#contract/organizations/oauth-apps'
import { useCall } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { forgetApps } from './queries.ts'
import type { NewSecret } from './SecretDialog.tsx'

type Props = {
  slug: string
  app: OAuthApp
  onClose: () => void
  onMade: (made: NewSecret) => void
}

export function RotateDialog({ slug, app, onClose, onMade }: Props) {
  const rotate = useCall(api.oauthApps.rotateSecret, {
    onSuccess: async (made) => {
      onMade(made)
      await forgetApps()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`New secret for ${app.name}?`}
      verb="Generate a new secret"
      error={rotate.error?.message}
      pending={rotate.isPending}
      onConfirm={() => rotate.mutate({ slug, id: app.id })}
    >
      <p>
        The secret <span className="mono">{app.client_secret_alias}</span> stops working at once:
        the app cannot get tokens until it has the new one. Its current tokens work until they
        expire.
      </p>
    </ConfirmDialog>
  )
}
