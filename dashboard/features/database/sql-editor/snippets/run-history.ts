import { infiniteQueryOptions } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { keptSqlText, sqlHistory, type SqlRun } from '#contract/database/sql/sql-history'
import { call, forget, fresh } from '../../../../api/client.ts'
import { failureOf } from '../running/run-state.ts'
import type { RunView } from '../running/runs.ts'

const pageSize = 50

/** What this person ran in the project, the newest first. */
export const runHistoryQuery = (ref: string, search: string) =>
  infiniteQueryOptions({
    queryKey: [sqlHistory.list.name, { ref, search }],
    queryFn: ({ pageParam, signal }) =>
      call(
        sqlHistory.list,
        {
          ref,
          limit: pageSize,
          ...(search ? { search } : {}),
          ...(pageParam ? { before: pageParam } : {}),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page: SqlRun[]) =>
      page.length < pageSize ? undefined : page.at(-1)?.started_at,
    staleTime: fresh.default,
    placeholderData: (before) => before,
  })

type Entry = Omit<SqlRun, 'started_at'>

/** A run as the history keeps it. Values are cut where the history would not take them. */
export function historyEntry(run: RunView, query: { name: string; isSaved: boolean }): Entry {
  const { id, queryId, sent, options, state, failure } = run
  const error = failureOf(state)?.error?.message ?? failure?.message
  const rows = state.statements.reduce((sum, { count }) => sum + (count ?? 0), 0)
  const parameters = Object.entries(options.parameters).map(
    ([name, value]) => [name, value?.slice(0, 10_000) ?? null] as const,
  )
  const ended = state.phase === 'ended'
  return {
    id,
    snippet_id: query.isSaved ? queryId : null,
    name: query.name.slice(0, 200),
    sql: (options.file ? `-- File ${options.file.name}` : sent.sql).slice(0, keptSqlText),
    parameters: Object.fromEntries(parameters),
    status: statusOf(run, error !== undefined),
    ms: ended ? (state.ms ?? null) : null,
    rows: ended ? rows : null,
    error: error?.slice(0, 2000) ?? null,
  }
}

function statusOf({ state, cancel }: RunView, failed: boolean): SqlRun['status'] {
  if (state.phase === 'running') return 'running'
  if (!failed) return 'done'
  return cancel === 'asked' ? 'cancelled' : 'failed'
}

/** Writes a run down, as it begins or as it ended. A history that cannot be written stops nobody from working. */
export async function writeDown(ref: string, entry: Entry): Promise<void> {
  try {
    await call(sqlHistory.put, { ref, ...entry })
    await forget(sqlHistory.list)
  } catch {
    // The next run is written down again; this one is in the tab's own list.
  }
}

/** One run that ended: `ms` on the server; undefined when it never began there. */
type LastRun = { id: string; queryId: string; name: string; failed: boolean; ms?: number }

const kept = 8
type Area = Pick<Storage, 'getItem' | 'setItem'>

/** The newest runs of a project in this browser, the last one first. */
export function createLastRuns(area: Area, ref: string) {
  const key = `plinth.sql-editor-runs-${ref}`
  const watchers = new Set<() => void>()
  let runs: readonly LastRun[] = parse(area.getItem(key))
  return {
    list: () => runs,
    subscribe(watcher: () => void) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    add(run: LastRun) {
      runs = [run, ...runs].slice(0, kept)
      try {
        area.setItem(key, JSON.stringify(runs))
      } catch {
        // Without room they are merely forgotten with the page.
      }
      for (const watch of watchers) watch()
    },
  }
}
type LastRuns = ReturnType<typeof createLastRuns>

export const useLastRuns = ({ subscribe, list }: LastRuns) => useSyncExternalStore(subscribe, list)

function parse(text: string | null): LastRun[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter(isRun).slice(0, kept) : []
  } catch {
    return []
  }
}

const isRun = (value: unknown): value is LastRun =>
  typeof value === 'object' &&
  value !== null &&
  'queryId' in value &&
  'name' in value &&
  typeof value.queryId === 'string' &&
  typeof value.name === 'string'
