import { nothing, type Staged } from './staged.ts'

/** What is staged for a table, what it was before, and what was undone. */
export type History = { past: Staged[]; now: Staged; future: Staged[] }
export const fresh: History = { past: [], now: nothing, future: [] }

/** Steps of undo that are kept for one table. */
const mostSteps = 100

/** A new change ends what could be made again. */
export function changed({ past, now }: History, next: (now: Staged) => Staged): History {
  return { past: [...past.slice(1 - mostSteps), now], now: next(now), future: [] }
}

export function undone({ past, now, future }: History): History {
  const before = past.at(-1)
  if (!before) return { past, now, future }
  return { past: past.slice(0, -1), now: before, future: [now, ...future] }
}

export function redone({ past, now, future: [after, ...future] }: History): History {
  return after ? { past: [...past, now], now: after, future } : { past, now, future }
}
