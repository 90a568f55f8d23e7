import type { LostEvents } from '#contract/observability/logs'
import type { NewEvent } from '../log-store.ts'
import { dayMicros, dayOf } from './days.ts'
import { lineOf } from './entry-lines.ts'

/** Lines of one day that are to be written together. */
export type Batch = { day: number; lines: string[]; times: number[] }

/** Entries may be so old, and so far ahead of our clock; the clock of any other is wrong, and they get the time of now. */
const oldest = 100 * dayMicros
const newest = dayMicros

type Options = {
  now: () => number
  limits: { waiting: number; waitingOfProject: number }
}

/** What projects have appended and nobody has written yet, as lines. */
export function createWaiting({ now, limits }: Options) {
  type Own = { batches: Map<number, Batch>; size: number; lost: Map<string, LostEvents> }
  const projects = new Map<string, Own>()
  let size = 0

  const of = (ref: string): Own => {
    const own = projects.get(ref) ?? { batches: new Map(), size: 0, lost: new Map() }
    projects.set(ref, own)
    return own
  }
  function lose(ref: string, lost: LostEvents): void {
    const known = of(ref).lost.get(lost.reason)
    of(ref).lost.set(lost.reason, known ? joined(known, lost) : lost)
  }
  const isFull = (own: Own) => own.size > limits.waitingOfProject || size > limits.waiting

  /** Makes room by what came first. */
  function dropOldest(ref: string, own: Own): void {
    for (const batch of own.batches.values()) {
      const line = batch.lines.shift()
      const at = batch.times.shift()
      if (line === undefined || at === undefined) continue
      own.size -= line.length
      size -= line.length
      lose(ref, { from: at, to: at, count: 1, reason: 'memory' })
      return
    }
  }
  function add(ref: string, own: Own, event: NewEvent): void {
    const timestamp = sane(event.timestamp, now() * 1000)
    if (isFull(own)) {
      // What went well is missed least.
      const isMinor = event.level === 'info' || event.level === 'debug'
      if (isMinor || own.size === 0)
        return lose(ref, { from: timestamp, to: timestamp, count: 1, reason: 'memory' })
      dropOldest(ref, own)
    }
    const line = lineOf(event, timestamp)
    const day = dayOf(timestamp)
    let batch = own.batches.get(day)
    if (!batch) own.batches.set(day, (batch = { day, lines: [], times: [] }))
    batch.lines.push(line)
    batch.times.push(timestamp)
    own.size += line.length
    size += line.length
  }

  return {
    append(ref: string, events: readonly NewEvent[]): void {
      const own = of(ref)
      for (const event of events) add(ref, own, event)
    },
    lose(ref: string, { from, to, ...lost }: LostEvents): void {
      const ms = now() * 1000
      lose(ref, { ...lost, from: sane(from, ms), to: sane(to, ms) })
    },
    /** Projects that have something to be written. */
    refs: (): string[] => [...projects.keys()],
    /** Hands over what a project has; it is not held here any more. */
    take(ref: string): Batch[] {
      const own = projects.get(ref)
      if (!own) return []
      const batches = [...own.batches.values()].filter(({ lines }) => lines.length > 0)
      size -= own.size
      own.size = 0
      own.batches = new Map()
      if (own.lost.size === 0) projects.delete(ref)
      return batches
    },
    takeLost(ref: string): LostEvents[] {
      const own = projects.get(ref)
      if (!own) return []
      const lost = [...own.lost.values()]
      own.lost = new Map()
      if (own.batches.size === 0) projects.delete(ref)
      return lost
    },
    drop(ref: string): void {
      size -= projects.get(ref)?.size ?? 0
      projects.delete(ref)
    },
  }
}
export type Waiting = ReturnType<typeof createWaiting>

const joined = (a: LostEvents, b: LostEvents): LostEvents => ({
  from: Math.min(a.from, b.from),
  to: Math.max(a.to, b.to),
  count: a.count + b.count,
  reason: a.reason,
})

function sane(timestamp: number, now: number): number {
  const isUsable = timestamp > now - oldest && timestamp < now + newest
  return Math.floor(isUsable ? timestamp : now)
}
