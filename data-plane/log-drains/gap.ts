import { randomUUID } from 'node:crypto'
import type { DrainEvent } from './drain-event.ts'

type Notice = { lost: number; event: DrainEvent }

/**
 * What a drain has lost and the other side does not know of yet: it is told by an entry, which goes with the next ones. A process
 * that ends before has told nothing; how much was lost is in the drain's own state in any case.
 */
export function createGap(now: () => number) {
  let lost = 0
  /** Tried again it has the same id. */
  let notice: Notice | undefined
  return {
    add(entries: number): void {
      lost += entries
      notice = undefined
    },
    /** Undefined: nothing is to be told. */
    notice(): Notice | undefined {
      if (lost === 0) return undefined
      return (notice ??= {
        lost,
        event: {
          id: randomUUID(),
          timestamp: now() * 1000,
          source: 'log_drain',
          level: 'warning',
          event_message:
            lost === 1
              ? '1 entry before this one was lost'
              : `${lost} entries before this one were lost`,
          attributes: { lost },
        },
      })
    },
    told(one: Notice): void {
      lost -= one.lost
      notice = undefined
    },
  }
}
