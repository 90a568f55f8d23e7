import { infiniteQueryOptions } from '@tanstack/react-query'
import { authRecords } from '#contract/auth/auth-records'
import {
  authUsers,
  userFields,
  userSorts,
  userStates,
  type UserField,
  type UserSort,
} from '#contract/auth/auth-users'
import { call, q } from '../../../api/client.ts'
import { edgeOf } from '../../../session/organization/audit-words.ts'
import type { AuditFilter, UserFilter } from './search.ts'

/** An address can hold anything; what is not known counts as not said. */
const known = <Value extends string>(values: readonly Value[], text: string | undefined) =>
  values.find((value) => value === text)

export const fieldOf = ({ field }: UserFilter): UserField => known(userFields, field) ?? 'all'
export const sortOf = ({ sort }: UserFilter): UserSort => known(userSorts, sort) ?? 'created_at'
export const orderOf = ({ order }: UserFilter): 'asc' | 'desc' => (order === 'asc' ? 'asc' : 'desc')
export const matchOf = ({ match }: UserFilter): 'starts' | 'contains' =>
  match === 'contains' ? 'contains' : 'starts'

const narrowing = (ref: string, filter: UserFilter) => {
  const state = known(userStates, filter.state)
  const search = filter.q?.trim() ?? ''
  return {
    ref,
    ...(search ? { search, field: fieldOf(filter), match: matchOf(filter) } : {}),
    ...(state ? { state } : {}),
    ...(filter.provider ? { provider: filter.provider } : {}),
  }
}

export const usersQuery = (ref: string, filter: UserFilter, cursor?: string) =>
  q(
    authUsers.list,
    {
      ...narrowing(ref, filter),
      sort: sortOf(filter),
      order: orderOf(filter),
      ...(cursor ? { cursor } : {}),
    },
    5_000,
  )

export const userCountQuery = (ref: string, filter: UserFilter, exact: boolean) =>
  q(authUsers.count, { ...narrowing(ref, filter), ...(exact ? { exact: 'true' } : {}) }, 5_000)

export const userQuery = (ref: string, id: string) => q(authUsers.get, { ref, id }, 2_000)

/** After users are gone: lists and figures are read again. Their panel may still be closing; nothing is asked of them any more. */
export const ofUserLists = [
  authUsers.list,
  authUsers.count,
  authRecords.audit,
  authRecords.overview,
]

/** After a change: lists, figures, the user and what was written down about it are read again. */
export const ofUsers = [...ofUserLists, authUsers.get]

export const auditQuery = (ref: string, filter: AuditFilter) => {
  const { action, actor, user, from, to } = filter
  const input = {
    ref,
    action,
    actor: actor?.trim() || undefined,
    user,
    from: edgeOf(from, 'start'),
    to: edgeOf(to, 'end'),
  }
  return infiniteQueryOptions({
    queryKey: [authRecords.audit.name, input],
    queryFn: ({ pageParam, signal }) =>
      call(authRecords.audit, { ...input, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
  })
}

/** How far back the overview looks: an address can hold anything. */
export const daysOf = (days: string | undefined) => known(['7', '30', '90'], days) ?? '7'

export const overviewQuery = (ref: string, days: '7' | '30' | '90') =>
  q(authRecords.overview, { ref, days }, 30_000)
