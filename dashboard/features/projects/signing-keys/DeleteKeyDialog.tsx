import { signingKeys, type SigningKey } from '#contract/projects/signing-keys'
import { forget, useCall } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { kidOf } from './key-words.ts'

type Props = { projectRef: string; signingKey: SigningKey; onClose: () => void }

export function DeleteKeyDialog({ projectRef, signingKey, onClose }: Props) {
  const remove = useCall(signingKeys.remove, {
    onSuccess: async () => {
      onClose()
      toast.success('Key deleted')
      await forget(signingKeys.list)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Delete the revoked key"
      verb="Delete key"
      error={remove.error?.message}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ ref: projectRef, id: signingKey.id })}
    >
      <p>
        The private key <span className="mono">{kidOf(signingKey)}</span> is destroyed and can never
        be put on standby again. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
