import type { UserIdentity } from '@supabase/auth-js'
import { auth } from '../../../session/identity/auth.ts'
import { ConfirmDialog } from '../../../ui/floats/ConfirmDialog.tsx'
import { toast } from '../../../ui/floats/toast.ts'
import { forgetAuth } from './account-data.ts'
import { useAuthAction } from './use-auth-action.ts'

type Props = { identity: UserIdentity; label: string; onClose: () => void }

export function UnlinkDialog({ identity, label, onClose }: Props) {
  const unlink = useAuthAction(
    async () => (await auth()).unlinkIdentity(identity),
    async () => {
      onClose()
      toast.success(`${label} is unlinked`)
      await forgetAuth('user')
    },
  )
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Unlink ${label}?`}
      verb={`Unlink ${label}`}
      error={unlink.error?.message}
      pending={unlink.isPending}
      onConfirm={() => unlink.mutate(undefined)}
    >
      <p>
        {identity.provider === 'email'
          ? 'You can no longer sign in with your password.'
          : `You can no longer sign in with ${label}.`}{' '}
        Other methods still work.
      </p>
    </ConfirmDialog>
  )
}
