import { infiniteQueryOptions, keepPreviousData, type InfiniteData } from '@tanstack/react-query'
import { pgMeta } from '#contract/database/pg-meta'
import type { Input, Output } from '#contract/endpoint'
import { v1Functions } from '#contract/v1/v1-functions'
import { webhookCalls, type DeliveryState } from '#contract/integrations/webhook-calls'
import { webhooks } from '#contract/integrations/webhooks'
import { q } from '../../../api/client.ts'
import { callDatabase, databaseQuery } from '../../../session/project/database.ts'

export const webhooksStateQuery = (ref: string) => q(webhooks.state, { ref })
export const functionsQuery = (ref: string) => q(v1Functions.functions, { ref })
const soon = 3_000

/** How each webhook does; read again while one of them has calls that wait. */
export const hooksQuery = (ref: string) => ({
  ...databaseQuery(webhookCalls.hooks, { ref }, 0),
  refetchInterval: ({
    state,
  }: {
    state: { data: Output<typeof webhookCalls.hooks> | undefined }
  }) =>
    state.data?.hooks.some(({ waiting, settings }) => waiting > 0 && !settings.paused)
      ? soon
      : false,
})

type Deliveries = Output<typeof webhookCalls.deliveries>
const pageSize = 50
export type DeliveryList = { table: number; name: string; state: DeliveryState | undefined }

/** The newest first; read again while one of those on the screen waits. */
export const deliveriesQuery = (ref: string, { table, name, state: wanted }: DeliveryList) =>
  infiniteQueryOptions({
    queryKey: [webhookCalls.deliveries.name, { ref, table, name, wanted }],
    queryFn: ({ pageParam, signal }) =>
      callDatabase(
        webhookCalls.deliveries,
        { ref, table_id: table, name, state: wanted, before: pageParam, limit: pageSize },
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ deliveries }: Deliveries) =>
      deliveries.length < pageSize ? undefined : deliveries.at(-1)?.id,
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state }: { state: { data: InfiniteData<Deliveries> | undefined } }) =>
      state.data?.pages.some(({ deliveries }) =>
        deliveries.some((delivery) => delivery.state === 'waiting'),
      )
        ? soon
        : false,
  })

export const deliveryQuery = (ref: string, id: string) =>
  databaseQuery(webhookCalls.delivery, { ref, id }, 0)

export const previewQuery = (ref: string, table_id: number) =>
  databaseQuery(webhookCalls.preview, { ref, table_id }, 0)

/** How many calls a replay would make again. */
export const replayableQuery = (
  ref: string,
  chosen: Omit<Input<typeof webhookCalls.replayable>, 'ref'>,
) => databaseQuery(webhookCalls.replayable, { ref, ...chosen }, 0)

/** The names of a table's columns. */
export const columnsQuery = (ref: string, id: number) =>
  databaseQuery(pgMeta.entity, { ref, id }, 10_000)

export const ofCalls = [
  webhookCalls.hooks,
  webhookCalls.deliveries,
  webhookCalls.delivery,
  webhookCalls.replayable,
]
