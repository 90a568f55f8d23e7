import type { AuditEntry } from '#contract/organizations/audit'
import { auditEvent, drainEvent, type DrainEvent, type SpoolEvent } from './drain-event.ts'

export type Most = { entries: number; bytes: number }

type PortionOf<E> = {
  /** None: what there was is not to be sent. */
  entries: E[]
  /** Nothing else waits at the moment. */
  isAll: boolean
  /** The first so many of them, or all, are not to be given again. */
  taken(count?: number): Promise<void>
}
export type Portion = PortionOf<DrainEvent>

/** Where a drain has its entries from. What is not taken is given again, also to a later process. */
export type Supply = {
  /** Undefined: nothing waits at the moment. */
  next(most: Most): Promise<Portion | undefined>
  /** Bytes that wait; undefined: that is not known. */
  waiting(): Promise<number | undefined>
}

/** What keeps lines of projects' logs for drains (`logs/spool/spool.ts`). */
export type LogSpool = {
  /** Hears of each project that something was written for. */
  onWritten(listener: (ref: string) => void): void
  /** Begins to keep lines, or goes on; `since` in milliseconds since 1970. */
  open(ref: string, reader: string, since: number): Promise<SpoolReader>
  /** Nothing is left of a reader. */
  close(ref: string, reader: string): Promise<void>
  readers(): Promise<{ ref: string; reader: string }[]>
  isEldest(): Promise<boolean>
  /** Makes room; answers what is lost by that. */
  trim(maxBytes: number): Promise<{ ref: string; reader: string; lost: number }[]>
}
export type SpoolReader = {
  next(most: Most): Promise<PortionOf<SpoolEvent> | undefined>
  waiting(): Promise<number>
}

export const projectSupply = ({ next, waiting }: SpoolReader): Supply => ({
  async next(most) {
    const portion = await next(most)
    return portion && { ...portion, entries: portion.entries.map(drainEvent) }
  },
  waiting,
})

export type AuditSource = (
  organization: number,
  from: { after?: string; since?: number },
  limit: number,
) => Promise<AuditEntry[]>
/** Where it is kept up to which entry the audit log was sent. */
export type AuditCursor = {
  read(): Promise<string | undefined>
  write(id: string): Promise<void>
}

/** Entries that the control plane answers at once. */
const mostAsked = 500

/** The audit log of an organization, from the control plane; `isOurs`: no other process of this machine sends it. */
export function auditSupply(options: {
  organization: number
  since: number
  ask: AuditSource
  cursor: AuditCursor
  isOurs: () => Promise<boolean>
}): Supply {
  const { organization, since, ask, cursor, isOurs } = options
  let known: string | undefined
  return {
    async next({ entries }) {
      const limit = Math.min(entries, mostAsked)
      if (!(await isOurs())) {
        // Whoever sends it meanwhile has gone on.
        known = undefined
        return undefined
      }
      known ??= await cursor.read()
      const found = await ask(
        organization,
        known === undefined ? { since } : { after: known },
        limit,
      )
      if (found.length === 0) return undefined
      return {
        entries: found.map(auditEvent),
        isAll: found.length < limit,
        async taken(count = found.length) {
          const last = found[count - 1]
          if (!last) return
          known = last.id
          await cursor.write(last.id)
        },
      }
    },
    waiting: () => Promise.resolve(undefined),
  }
}
