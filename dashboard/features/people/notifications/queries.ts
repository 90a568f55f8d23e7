import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '#contract/api'
import type { Output } from '#contract/endpoint'
import type { Notification } from '#contract/people/notifications'
import { call, forget, q } from '../../../api/client.ts'

/** Looked at again every minute while the page is open. */
export const summaryQuery = { ...q(api.notifications.summary, {}), refetchInterval: 60_000 }

export type Box = 'inbox' | 'archived'
export type Filter = {
  box: Box
  priority?: Notification['priority'] | undefined
  organization?: string | undefined
}
type Page = Output<typeof api.notifications.list>

export const notificationsQuery = (filter: Filter) =>
  infiniteQueryOptions({
    queryKey: [api.notifications.list.name, filter],
    queryFn: ({ pageParam, signal }) =>
      call(api.notifications.list, { ...filter, limit: 30, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: ({ pagination: { count, limit, offset } }: Page) =>
      offset + limit < count ? offset + limit : undefined,
  })

export const forgetNotifications = () => forget(api.notifications.list, api.notifications.summary)
