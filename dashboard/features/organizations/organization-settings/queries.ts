import { queryOptions } from '@tanstack/react-query'
import { hasShownFactor } from '../../../session/identity/auth.ts'

/** Whether this session has shown a second factor; read anew each time, since it changes elsewhere. */
export const shownFactorQuery = queryOptions({
  queryKey: ['aal-level'],
  queryFn: hasShownFactor,
  staleTime: 0,
})
