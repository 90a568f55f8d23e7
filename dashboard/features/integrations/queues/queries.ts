import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { dataApi } from '#contract/data-api/data-api'
import { queues, type MessageState, type queueTables } from '#contract/integrations/queues'
import { q } from '../../../api/client.ts'
import { callDatabase, databaseQuery } from '../../../session/project/database.ts'

/** Workers send and read at any moment: what is shown is asked for again every ten seconds while somebody looks. */
const every = 10_000
const pageSize = 50

export const queuesQuery = (ref: string) =>
  queryOptions({ ...databaseQuery(queues.list, { ref }, 2_000), refetchInterval: every })

export const queueQuery = (ref: string, name: string) =>
  queryOptions({ ...databaseQuery(queues.get, { ref, name }, 2_000), refetchInterval: every })

/** SQL changes the same settings, so what was read is soon old. */
export const exposedQuery = (ref: string) => q(dataApi.config, { ref }, 2_000)

export type MessagesAsked = { state: MessageState | undefined; order: 'oldest' | 'newest' }

export const messagesQuery = (ref: string, name: string, { state, order }: MessagesAsked) =>
  infiniteQueryOptions({
    queryKey: [queues.messages.name, { ref, name, state, order }],
    queryFn: async ({ pageParam: after, signal }) =>
      callDatabase(
        queues.messages,
        { ref, name, order, limit: pageSize, ...(state && { state }), ...(after && { after }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 2_000,
    // Somebody who reads far into the list is not made to ask for all of it again.
    refetchInterval: ({ state: { data } }) => ((data?.pages.length ?? 0) > 1 ? false : every),
  })

export const messageQuery = (
  ref: string,
  name: string,
  { id, from }: { id: string; from: (typeof queueTables)[number] },
) => databaseQuery(queues.message, { ref, name, id, from }, 2_000)

export const ofQueues = [queues.list, queues.get]
export const ofExposed = [...ofQueues, dataApi.config]
/** After messages have gone elsewhere: what shows one of them is about to close, and would ask for what is not there. */
export const ofMessageLists = [queues.messages, ...ofQueues]
export const ofMessages = [queues.message, ...ofMessageLists]
