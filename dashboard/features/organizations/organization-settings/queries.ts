import { queryOptions } from '@tanstack/react-query'
import { organizations } from '#contract/organizations/organizations'
import type { Organization } from '#contract/organizations/organizations'
import { hasShownFactor } from '../../../session/identity/auth.ts'
import { queryClient, useCall } from '../../../api/client.ts'
import { organizationsQuery } from '../../../session/organization/organizations.ts'
import { toast } from '../../../ui/floats/toast.ts'

/** Whether this session has shown a second factor; read anew each time, since it changes elsewhere. */
export const shownFactorQuery = queryOptions({
  queryKey: ['aal-level'],
  queryFn: hasShownFactor,
  staleTime: 0,
})

/** Changes an organization. What the answer says is shown at once in every list. */
export function useUpdate(done: string, onSaved?: (organization: Organization) => void) {
  return useCall(organizations.update, {
    onAnswer: (saved) =>
      queryClient.setQueryData(organizationsQuery.queryKey, (list) =>
        list?.map((one) => (one.id === saved.id ? saved : one)),
      ),
    changes: [organizations.detail],
    onSuccess: (saved) => {
      onSaved?.(saved)
      toast.success(done)
    },
  })
}
