import { infiniteQueryOptions } from '@tanstack/react-query'
import { authConfig } from '#contract/auth/auth-config'
import { authOauthClients } from '#contract/auth/auth-oauth-clients'
import { call, q } from '../../../api/client.ts'

/** Whether the server is on stands among the settings of the auth service. */
export const authConfigQuery = (ref: string) => q(authConfig.get, { ref })

export const clientsQuery = (ref: string) =>
  infiniteQueryOptions({
    queryKey: [authOauthClients.list.name, { ref }],
    queryFn: ({ pageParam, signal }) =>
      call(authOauthClients.list, { ref, page: pageParam }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
