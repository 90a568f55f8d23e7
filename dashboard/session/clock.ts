import { queryOptions } from '@tanstack/react-query'
import { platform } from '#contract/operations/platform'
import { call } from '../api/client.ts'

const limit = 2 * 60_000
const interval = 30 * 60_000

/** Milliseconds the local clock is ahead of the server, judged at the middle of the request. */
export const skewOf = (utcTime: string, asked: number, answered: number): number =>
  (asked + answered) / 2 - Date.parse(utcTime)

/** More than 2 minutes either way disturbs tokens and expiry dates (requirements §4). An unreadable time is no skew. */
export const isSkewed = (skew: number): boolean => Math.abs(skew) > limit

/** How far the local clock is off, in ms; looked at now and every 30 minutes. */
export const clockQuery = queryOptions({
  queryKey: [platform.utcTime.name],
  queryFn: async ({ signal }) => {
    const asked = Date.now()
    const { utcTime } = await call(platform.utcTime, {}, { signal })
    return skewOf(utcTime, asked, Date.now())
  },
  staleTime: interval,
  refetchInterval: interval,
})
