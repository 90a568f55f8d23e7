import { api } from '#contract/api'
import type { OAuthApp } from '#contract/organizations/oauth-apps'
import { useCall } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetApps } from './queries.ts'

type Props = { slug: string; app: OAuthApp; onClose: () => void }

export function DeleteAppDialog({ slug, app, onClose }: Props) {
  const remove = useCall(api.oauthApps.remove, {
    onSuccess: async () => {
      toast.success(`${app.name} is deleted`)
      onClose()
      await forgetApps()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${app.name}`}
      verb="Delete app"
      typeName={app.name}
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ slug, id: app.id })}
    >
      <p>This cannot be undone.</p>
      <ul className="lost">
        <li>Its client ID and secret stop working</li>
        <li>Every organization that authorized it loses it, and its tokens stop working at once</li>
      </ul>
    </ConfirmDialog>
  )
}
