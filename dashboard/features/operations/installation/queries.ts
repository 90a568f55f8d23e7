import { infiniteQueryOptions, type InfiniteData } from '@tanstack/react-query'
import { alerts } from '#contract/operations/alerts'
import { health } from '#contract/operations/health'
import { installationLogs } from '#contract/operations/installation-logs'
import type { Output } from '#contract/endpoint'
import {
  installationLevels,
  installationPrograms,
  type InstallationLevel,
} from '#contract/operations/installation-logs'
import { call, q, queryClient } from '../../../api/client.ts'

// Routes read these before the pages are there: apart from the components, so that these are loaded when they are shown.

export const healthQuery = q(health.get, {}, 0)
export const alertsQuery = q(alerts.list, {}, 0)
export const alertSettingsQuery = q(alerts.settings, {}, 0)

/** What the address holds of the logs page. */
export type LogFilter = {
  level?: InstallationLevel
  program?: (typeof installationPrograms)[number]
  find?: string
}
type LogPage = Output<typeof installationLogs.page>

const inputOf = ({ level, program, find }: LogFilter) => ({
  level: level ?? installationLevels[0],
  ...(program ? { program } : {}),
  text: find ?? '',
})

export const logsQuery = (filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: [installationLogs.page.name, inputOf(filter)],
    queryFn: ({ pageParam, signal }) =>
      call(
        installationLogs.page,
        { ...inputOf(filter), ...(pageParam ? { before: pageParam } : {}) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ older }: LogPage) => older ?? undefined,
    staleTime: 0,
    // Asked again they would lose what has been loaded of the past.
    refetchOnWindowFocus: false,
  })

/** Entries on the screen at most; beyond, the oldest go and can be loaded again. */
const maxShown = 2000

/** The pages with what was written since, newest first. */
export function withNewer(
  data: InfiniteData<LogPage, unknown>,
  { entries, newer }: LogPage,
): InfiniteData<LogPage, unknown> {
  const [first, ...rest] = data.pages
  if (!first) return data
  const all = [...entries, ...first.entries]
  if (all.length <= maxShown)
    return { ...data, pages: [{ ...first, entries: all, newer }, ...rest] }
  const kept = all.slice(0, maxShown)
  // An entry's id is where it stands, so what is older than the last one is what stands before it.
  const older = kept.at(-1)?.id ?? null
  return { pages: [{ ...first, entries: kept, newer, older }], pageParams: [undefined] }
}

/** Reads what was written since the pages were read, and puts it in front of them. */
export async function readNewer(filter: LogFilter, signal: AbortSignal): Promise<void> {
  const { queryKey } = logsQuery(filter)
  const after = queryClient.getQueryData(queryKey)?.pages[0]?.newer
  if (after === undefined) return
  const found = await call(
    installationLogs.page,
    { ...inputOf(filter), after, limit: 500 },
    { signal },
  )
  queryClient.setQueryData(queryKey, (data) => data && withNewer(data, found))
}
