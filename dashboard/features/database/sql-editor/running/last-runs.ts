import { useSyncExternalStore } from 'react'

/** One run that ended: `ms` on the server; undefined when it never began there. */
export type LastRun = { id: string; queryId: string; name: string; failed: boolean; ms?: number }

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
export type LastRuns = ReturnType<typeof createLastRuns>

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
