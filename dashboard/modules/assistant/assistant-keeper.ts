import { afterLoad, emptyState, type AssistantState, type Now } from './assistant-state.ts'
import type { AssistantStorage } from './assistant-storage.ts'

/** Milliseconds of rest after a change before it is stored (requirements §7, §9). */
export const saveAfterMs = 500

type Options = {
  ref: string
  storage: Pick<AssistantStorage, 'load' | 'save'>
  /** Failures of the browser's storage are told here and nowhere else (requirements §8). */
  onFailure: (error: unknown) => void
  now?: () => Now
}

export const realNow = (): Now => ({ id: () => crypto.randomUUID(), at: Date.now() })

/** The assistant of one project while its pages are open: the state, who follows it, and how it is stored. */
export async function createKeeper({ ref, storage, onFailure, now = realNow }: Options) {
  const loaded = await storage.load(ref).catch((error: unknown) => {
    onFailure(error)
    return undefined
  })
  let state = afterLoad(loaded ?? emptyState(ref), now())
  const watchers = new Set<() => void>()
  const deleted = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const stops = new Set<() => void>()
  let stopped = false

  function save(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    return storage.save(state, deleted).catch(onFailure)
  }

  return {
    ref,
    get: () => state,
    subscribe(watcher: () => void) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    /** Every change goes through here: it is shown at once and stored when there is rest. */
    update(change: (state: AssistantState, now: Now) => AssistantState): void {
      if (stopped) return
      const next = change(state, now())
      if (next === state) return
      for (const id of Object.keys(state.chats)) if (!next.chats[id]) deleted.add(id)
      state = next
      for (const watch of watchers) watch()
      clearTimeout(timer)
      timer = setTimeout(() => void save(), saveAfterMs)
    },
    /** Stores now what waits; for a page that is about to go. */
    flush: (): Promise<void> => (timer === undefined ? Promise.resolve() : save()),
    /** The person left: nothing is stored any more. */
    stop(): void {
      stopped = true
      clearTimeout(timer)
      timer = undefined
      for (const notify of stops) notify()
    },
    onStop: (notify: () => void) => void stops.add(notify),
  }
}
export type Keeper = Awaited<ReturnType<typeof createKeeper>>
