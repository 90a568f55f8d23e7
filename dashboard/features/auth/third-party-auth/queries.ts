import { thirdPartyAuth } from '#contract/auth/third-party-auth'
import { q, useCall } from '../../../api/client.ts'
import { toast } from '../../../ui/floats/toast.ts'
import { titleOf } from './parties.ts'

export const thirdPartiesQuery = (ref: string) => q(thirdPartyAuth.list, { ref })

/** Adds an integration, closes the form and shows the new list. */
export const useAdd = (onClose: () => void) =>
  useCall(thirdPartyAuth.create, {
    changes: [thirdPartyAuth.list],
    onSuccess: ({ type }) => {
      onClose()
      toast.success(`${titleOf(type)} is added`)
    },
  })
