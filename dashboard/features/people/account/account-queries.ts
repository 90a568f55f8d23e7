import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '#contract/api'
import { call, q } from '../../../api/client.ts'
import { edgeOf } from '../../../session/organization/audit-words.ts'

// Routes read these before the pages are there: apart from the components, so that these are loaded when they are shown.

export const tokensQuery = q(api.accessTokens.list, {})

export const soleOwnershipsQuery = q(api.profile.soleOwnerships, {}, 0)

/** What the address bar holds: days as YYYY-MM-DD, and a text to find. */
export type AuditFilter = { from?: string; to?: string; find?: string }

export const auditQuery = ({ from, to, find }: AuditFilter) => {
  const range = {
    date_start: edgeOf(from, 'start'),
    date_end: edgeOf(to, 'end'),
    search: find || undefined,
  }
  return infiniteQueryOptions({
    queryKey: [api.account.audit.name, range],
    queryFn: ({ pageParam, signal }) =>
      call(api.account.audit, { ...range, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
  })
}
