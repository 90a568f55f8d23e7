import { infiniteQueryOptions, type InfiniteData } from '@tanstack/react-query'
import type { Output } from '#contract/endpoint'
import { v1Functions } from '#contract/v1/v1-functions'
import { webhooks } from '#contract/integrations/webhooks'
import { call, q } from '../../../api/client.ts'

export const webhooksStateQuery = (ref: string) => q(webhooks.state, { ref })
export const functionsQuery = (ref: string) => q(v1Functions.functions, { ref })

type Calls = Output<typeof webhooks.calls>
const pageSize = 50
const soon = 3_000

/** The newest first; read again while one of those on the screen is on its way. */
export const callsQuery = (ref: string, table: number, name: string) =>
  infiniteQueryOptions({
    queryKey: [webhooks.calls.name, { ref, table, name }],
    queryFn: ({ pageParam, signal }) =>
      call(
        webhooks.calls,
        { ref, hook_table_id: table, hook_name: name, before: pageParam, limit: pageSize },
        { signal },
      ),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ calls }: Calls) =>
      calls.length < pageSize ? undefined : calls.at(-1)?.id,
    staleTime: 0,
    refetchInterval: ({ state }: { state: { data: InfiniteData<Calls> | undefined } }) =>
      state.data?.pages.some(({ calls }) => calls.some(({ pending }) => pending)) ? soon : false,
  })
