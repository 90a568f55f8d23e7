import { queryOptions } from '@tanstack/react-query'
import { disk as api, type DiskUsage } from '#contract/disk'
import { q } from '../api/client.ts'
import { bytesText } from '../ui/bytes.ts'

/** What the database of a project takes of the disk; asked for again every minute, and sooner while it is full. */
export const diskQuery = (ref: string) =>
  queryOptions({
    ...q(api.usage, { ref }, 10_000),
    refetchInterval: ({ state }) => (state.data?.state === 'full' ? 15_000 : 60_000),
  })

export type DiskBanner = { variant: 'danger' | 'warning'; title: string; text: string }

/** What is to be said above the pages of a project; undefined while there is space. */
export function diskBanner(name: string, usage: DiskUsage): DiskBanner | undefined {
  const { state, limit_bytes: limit, database_bytes: used, writable_until: until } = usage
  if (limit === null || state === 'ok') return undefined
  const has = `${name} has ${bytesText(used)} in its database, and its plan includes ${bytesText(limit)}.`
  if (state === 'near')
    return {
      variant: 'warning',
      title: 'Database almost full',
      text: `${has} Beyond that it can only be read.`,
    }
  return until === null
    ? { variant: 'danger', title: 'Database full', text: `${has} It can only be read.` }
    : {
        variant: 'warning',
        title: 'Database full',
        text: `${has} Writes are allowed until ${timeOf(until)}.`,
      }
}

/** `14:05`, in the reader's zone. */
export function timeOf(instant: string): string {
  const date = new Date(instant)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}
