import type { Factor, User } from '@supabase/auth-js'
import { queryOptions, infiniteQueryOptions } from '@tanstack/react-query'
import { accessTokens } from '#contract/people/access-tokens'
import { account } from '#contract/people/account'
import { profile } from '#contract/people/profile'
import { send } from '../../../api/http.ts'
import { call, q } from '../../../api/client.ts'
import { edgeOf } from '../../../session/organization/audit-words.ts'

/** The login: identities, a pending change of address (requirements §3 "Identities of the user"). An error is thrown. */
export const userQuery = queryOptions({
  queryKey: ['auth.user'],
  queryFn: ({ signal }) => readUser(signal),
  // Links in mails and other windows change it: it is read again when one comes back to the page.
  staleTime: 0,
})

export const factorsQuery = queryOptions({
  queryKey: ['auth.factors'],
  queryFn: async ({ signal }): Promise<Factor[]> => {
    const { factors = [] } = await readUser(signal)
    // Unfinished ones are nobody's factor yet.
    return factors.filter(({ status }) => status === 'verified')
  },
})

/** Not by the client of the auth service, which is larger than the page. */
async function readUser(signal: AbortSignal): Promise<User> {
  const response = await send({ method: 'GET', path: '/auth/v1/user', signal })
  // What the auth service answers with (contract of users).
  return (await response.json()) as User
}

/** A place where one is signed in, as the auth service lists it. */
export type SignIn = {
  id: string
  created_at: string
  refreshed_at: string | null
  user_agent: string
  ip: string
  aal: 'aal1' | 'aal2'
  current: boolean
}

export const sessionsQuery = queryOptions({
  queryKey: ['auth.sessions'],
  queryFn: async ({ signal }): Promise<SignIn[]> => {
    const response = await send({ method: 'GET', path: '/auth/v1/sessions', signal })
    // Our own addition to the auth service, which answers in this shape.
    return ((await response.json()) as { sessions: SignIn[] }).sessions
  },
})

export const endSession = (id: string) =>
  send({ method: 'DELETE', path: `/auth/v1/sessions/${id}` })

export const cancelEmailChange = () =>
  send({ method: 'DELETE', path: '/auth/v1/user/email_change' })

/** What is read of the auth service, which is none of our endpoints. */
export const authReads = {
  user: { name: 'auth.user' },
  factors: { name: 'auth.factors' },
  recoveryCodes: { name: 'auth.recovery-codes' },
  sessions: { name: 'auth.sessions' },
}

// Routes read these before the pages are there: apart from the components, so that these are loaded when they are shown.

export const tokensQuery = q(accessTokens.list, {})

export const soleOwnershipsQuery = q(profile.soleOwnerships, {}, 0)

/** What the address bar holds: days as YYYY-MM-DD, and a text to find. */
export type AuditFilter = { from?: string; to?: string; find?: string }

export const auditQuery = ({ from, to, find }: AuditFilter) => {
  const range = {
    date_start: edgeOf(from, 'start'),
    date_end: edgeOf(to, 'end'),
    search: find || undefined,
  }
  return infiniteQueryOptions({
    queryKey: [account.audit.name, range],
    queryFn: ({ pageParam, signal }) =>
      call(account.audit, { ...range, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
  })
}
