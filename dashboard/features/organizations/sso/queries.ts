import { sso as api } from '#contract/organizations/sso'
import { q, queryClient, useCall } from '../../../api/client.ts'
import { toast } from '../../../ui/floats/toast.ts'

export const ssoQuery = (slug: string) => q(api.get, { slug })

type Change = (typeof api)['create' | 'update' | 'remove' | 'verifyDomain']

/** A change; every one of them answers with the settings as they are then. */
export function useSsoChange(endpoint: Change, slug: string, message: string, done?: () => void) {
  return useCall(endpoint, {
    onSuccess: (settings) => {
      queryClient.setQueryData(ssoQuery(slug).queryKey, settings)
      toast.success(message)
      done?.()
    },
  })
}
