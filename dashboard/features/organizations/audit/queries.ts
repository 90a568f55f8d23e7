import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '#contract/api'
import { call } from '../../../api/client.ts'
import { edgeOf } from '../../../session/organization/audit-words.ts'

/** What the address bar holds: days as YYYY-MM-DD, a user's id, a project's ref, the name of an action. */
export type AuditFilter = {
  from?: string
  to?: string
  user?: string
  project?: string
  action?: string
}

export const auditQuery = (slug: string, { from, to, user, project, action }: AuditFilter) => {
  const input = {
    slug,
    iso_timestamp_start: edgeOf(from, 'start'),
    iso_timestamp_end: edgeOf(to, 'end'),
    user,
    project,
    action,
  }
  return infiniteQueryOptions({
    queryKey: [api.audit.list.name, input],
    queryFn: ({ pageParam, signal }) =>
      call(api.audit.list, { ...input, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
  })
}
