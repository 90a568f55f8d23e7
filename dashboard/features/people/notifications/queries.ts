import { infiniteQueryOptions } from '@tanstack/react-query'
import { notifications } from '#contract/people/notifications'
import type { Output } from '#contract/endpoint'
import type { Notification } from '#contract/people/notifications'
import { call, q } from '../../../api/client.ts'

/** Looked at again every minute while the page is open. */
export const summaryQuery = { ...q(notifications.summary, {}), refetchInterval: 60_000 }

export type Box = 'inbox' | 'archived'
export type Filter = {
  box: Box
  priority?: Notification['priority'] | undefined
  organization?: string | undefined
}
type Page = Output<typeof notifications.list>

export const notificationsQuery = (filter: Filter) =>
  infiniteQueryOptions({
    queryKey: [notifications.list.name, filter],
    queryFn: ({ pageParam, signal }) =>
      call(notifications.list, { ...filter, limit: 30, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ pagination: { count, limit, offset } }: Page) =>
      offset + limit < count ? offset + limit : undefined,
  })

export const ofNotifications = [notifications.list, notifications.summary]
