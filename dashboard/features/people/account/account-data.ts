import type { Factor, User } from '@supabase/auth-js'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../../../api/http.ts'
import { queryClient } from '../../../api/client.ts'

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

/** Reads again what the auth service knows. */
export const forgetAuth = (...names: ('user' | 'factors' | 'recovery-codes' | 'sessions')[]) =>
  Promise.all(names.map((name) => queryClient.invalidateQueries({ queryKey: [`auth.${name}`] })))
