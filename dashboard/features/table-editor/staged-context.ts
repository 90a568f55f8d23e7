import { createContext, use, useMemo, useState } from 'react'
import { countOf, nothing, type Staged } from './staged.ts'

type History = { past: Staged[]; now: Staged }
const fresh: History = { past: [], now: nothing }
/** Steps of undo that are kept for one table. */
const mostSteps = 100

export type StagedStore = {
  histories: Readonly<Record<number, History>>
  change: (entity: number, next: (now: Staged) => Staged) => void
  undo: (entity: number) => void
  clear: (entity: number) => void
}

/** Changes of all tables that were opened since the editor was, so that looking at another table loses nothing. */
export function useStagedStore(): StagedStore {
  const [histories, setHistories] = useState<Readonly<Record<number, History>>>({})
  return useMemo(() => {
    const set = (entity: number, next: (history: History) => History) =>
      setHistories((all) => ({ ...all, [entity]: next(all[entity] ?? fresh) }))
    return {
      histories,
      change: (entity, next) =>
        set(entity, ({ past, now }) => ({
          past: [...past.slice(1 - mostSteps), now],
          now: next(now),
        })),
      undo: (entity) =>
        set(entity, ({ past, now }) => ({ past: past.slice(0, -1), now: past.at(-1) ?? now })),
      clear: (entity) => set(entity, () => fresh),
    }
  }, [histories])
}

export const StagedContext = createContext<StagedStore | undefined>(undefined)

/** The changes of one table and how to make more. */
export function useStaged(entity: number) {
  const store = use(StagedContext)
  if (!store) throw new Error('useStaged needs a StagedContext around it')
  const history = store.histories[entity] ?? fresh
  return {
    staged: history.now,
    canUndo: history.past.length > 0,
    change: (next: (now: Staged) => Staged) => store.change(entity, next),
    undo: () => store.undo(entity),
    clear: () => store.clear(entity),
  }
}
export type StagedOfTable = ReturnType<typeof useStaged>

/** Whether anything of any table would be lost by leaving. */
export const hasStaged = ({ histories }: StagedStore) =>
  Object.values(histories).some(({ now }) => countOf(now).all > 0)
