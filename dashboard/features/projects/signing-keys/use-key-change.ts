import { signingKeys, type SigningKeyStatus } from '#contract/projects/signing-keys'
import { forget, useCall } from '../../../api/client.ts'
import { toast } from '../../../ui/floats/toast.ts'

const done: Record<SigningKeyStatus, string> = {
  in_use: 'The keys are rotated',
  standby: 'The key is on standby',
  previously_used: 'The key is moved to previously used',
  revoked: 'The key is revoked',
}

/** Moves a key to another status. */
export const useMove = (onDone?: () => void) =>
  useCall(signingKeys.update, {
    onSuccess: async ({ status }) => {
      onDone?.()
      toast.success(done[status])
      await forget(signingKeys.list)
    },
  })
