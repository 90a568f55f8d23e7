import { thirdPartyAuth, type ThirdPartyAuth } from '#contract/auth/third-party-auth'
import { forget, useCall } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { titleOf } from './parties.ts'

type Props = { projectRef: string; party: ThirdPartyAuth; onClose: () => void }

export function RemoveDialog({ projectRef, party, onClose }: Props) {
  const title = titleOf(party.type)
  const remove = useCall(thirdPartyAuth.remove, {
    onSuccess: async () => {
      onClose()
      toast.success(`${title} is removed`)
      await forget(thirdPartyAuth.list)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Remove ${title}?`}
      verb="Remove integration"
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref: projectRef, tpa_id: party.id })}
    >
      <p>
        Tokens of <span className="mono">{party.oidc_issuer_url ?? 'these keys'}</span> are refused
        from their next request on. Users who are signed in there lose the data at once.
      </p>
    </ConfirmDialog>
  )
}
