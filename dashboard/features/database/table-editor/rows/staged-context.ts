import { createContext, use, useEffect, useMemo, useRef, useState } from 'react'
import type { Drafts } from '../../../../session/identity/drafts.ts'
import type { Work } from '../../../../session/identity/left-work.tsx'
import type { TableModel } from '../table-model.ts'
import { usePreferences } from '../../../../session/identity/preferences.ts'
import {
  countOf,
  idOf,
  nothing,
  stageDelete,
  undoDelete,
  undoInsert,
  type Staged,
  changed,
  fresh,
  redone,
  undone,
  type History,
} from './staged.ts'

export type StagedStore = {
  /** What is staged is kept there, so that a reload or a crash loses nothing. */
  drafts: Drafts<Work<Staged>>
  histories: Readonly<Record<number, History>>
  change: (entity: number, next: (now: Staged) => Staged) => void
  undo: (entity: number) => void
  redo: (entity: number) => void
  /** Nothing is staged any more; that can be undone like any other change. */
  discard: (entity: number) => void
  /** What was applied is done with and cannot be undone here any more. */
  applied: (entity: number, left: (now: Staged) => Staged) => void
}

/** Changes of all tables that were opened since the editor was, so that looking at another table loses nothing. */
export function useStagedStore(drafts: Drafts<Work<Staged>>): StagedStore {
  const [histories, setHistories] = useState<Readonly<Record<number, History>>>({})
  const kept = useRef(histories)
  useEffect(() => {
    for (const [entity, { now }] of Object.entries(histories)) {
      if (now === kept.current[Number(entity)]?.now) continue
      // A browser without room for it warns before the page is left, as for all that is staged.
      if (countOf(now).all > 0) drafts.keep({ id: entity, at: Date.now(), work: now })
      else drafts.drop(entity)
    }
    kept.current = histories
  }, [histories, drafts])
  return useMemo(() => {
    const set = (entity: number, next: (history: History) => History) =>
      setHistories((all) => ({ ...all, [entity]: next(all[entity] ?? fresh) }))
    return {
      drafts,
      histories,
      change: (entity, next) => set(entity, (history) => changed(history, next)),
      undo: (entity) => set(entity, undone),
      redo: (entity) => set(entity, redone),
      discard: (entity) => set(entity, (history) => changed(history, () => nothing)),
      applied: (entity, left) => set(entity, ({ now }) => ({ ...fresh, now: left(now) })),
    }
  }, [histories, drafts])
}

export const StagedContext = createContext<StagedStore | undefined>(undefined)

/** The changes of one table and how to make more. */
export function useStaged(entity: number) {
  const store = use(StagedContext)
  if (!store) throw new Error('useStaged needs a StagedContext around it')
  const history = store.histories[entity] ?? fresh
  return {
    drafts: store.drafts,
    staged: history.now,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change: (next: (now: Staged) => Staged) => store.change(entity, next),
    undo: () => store.undo(entity),
    redo: () => store.redo(entity),
    discard: () => store.discard(entity),
    applied: (left: (now: Staged) => Staged) => store.applied(entity, left),
  }
}
export type StagedOfTable = ReturnType<typeof useStaged>

/** Whether anything of any table would be lost by leaving. */
export const hasStaged = ({ histories }: StagedStore) =>
  Object.values(histories).some(({ now }) => countOf(now).all > 0)

/** Rows that do not exist yet are simply dropped. */
export const deletion =
  (model: TableModel, rows: readonly number[]) =>
  (now: Staged): Staged => {
    const inserts = rows.flatMap((row) => listOf(model.insertAt(row)?.id))
    const keys = rows.flatMap((row) => listOf(model.keyAt(row)))
    return inserts.reduce(undoInsert, stageDelete(now, keys))
  }

export const restoration =
  (model: TableModel, rows: readonly number[]) =>
  (now: Staged): Staged =>
    rows
      .flatMap((row) => listOf(model.keyAt(row)))
      .map(idOf)
      .reduce(undoDelete, now)

const listOf = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value])

/** What the button of a panel does with what was typed in it: it is sent, or waits with the other changes of the table. */
export const useSaveVerb = (): string =>
  usePreferences(({ saveRowsAtOnce }) => (saveRowsAtOnce ? 'Save' : 'Add to changes'))
