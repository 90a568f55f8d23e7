import { queryOptions } from '@tanstack/react-query'
import { disk as api, type DiskUsage } from '#contract/projects/disk'
import { q, queryClient } from '../../api/client.ts'
import { bytesText } from '../../ui/text/number.ts'
import { statusQuery } from '../organization/mode.ts'

/** What the database of a project takes of the disk; asked for again every minute, and sooner while it is full. */
export const diskQuery = (ref: string) =>
  queryOptions({
    ...q(api.usage, { ref }, 10_000),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'full' || data?.writable_until ? 15_000 : 60_000,
  })

/**
 * Reads what was measured last before a page of the project is drawn: a banner that came later would push it down, and
 * measuring may take its time. What fails here is asked for once more by the banner.
 */
export async function readDisk(ref: string): Promise<void> {
  const { queryKey } = diskQuery(ref)
  await queryClient.prefetchQuery(statusQuery)
  const status = queryClient.getQueryData(statusQuery.queryKey)
  if (status?.mode === 'self-hosted' || queryClient.getQueryData(queryKey)) return
  const last = await queryClient.fetchQuery(lastDiskQuery(ref)).catch(() => undefined)
  if (!last || queryClient.getQueryData(queryKey)) return
  const updatedAt = last.measured_at === null ? 0 : Date.parse(last.measured_at)
  queryClient.setQueryData(queryKey, last, { updatedAt })
}

const lastDiskQuery = (ref: string) =>
  queryOptions({ ...q(api.usage, { ref, last: 'true' }, 0), gcTime: 0, retry: false })

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

/** The same while the organization has exceeded its quota; `until`: when the writes end that somebody has allowed. */
export const quotaBanner = (name: string, until: string | null): DiskBanner => ({
  variant: 'warning',
  title: until === null ? 'SQL can only read' : 'SQL can write',
  text:
    until === null
      ? `While the organization exceeds its quota, SQL cannot change ${name}.`
      : `Writes to ${name} are allowed until ${timeOf(until)}, to delete rows. Then SQL can only read again.`,
})

/** `14:05`, in the reader's zone. */
export function timeOf(instant: string): string {
  const date = new Date(instant)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}
