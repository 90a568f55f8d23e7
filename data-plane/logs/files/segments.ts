import type { LostEvents } from '#contract/observability/logs'
import type { Log } from '#kit/log'
import { isMissing } from '#kit/postgres/files'
import type { NewEvent } from '../log-store.ts'
import { dayOf, type Span } from './days.ts'
import { lostLine } from './entry-lines.ts'
import type { LogLimits } from './limits.ts'
import type { ProjectFolders } from './project-folders.ts'
import { Segment, type Unwritten } from './segment.ts'
import { createWaiting, type Batch } from './waiting.ts'
import type { Writers } from './writers.ts'

type Options = {
  folders: ProjectFolders
  writers: Pick<Writers, 'key'>
  now: () => number
  /** Milliseconds between two writes: one for each project that has something. */
  everyMs: number
  limits: LogLimits
  /** Hears how many bytes were written of a project. */
  onWritten: (bytes: number, ref: string) => void
  /** Hears of each new file before it has a line. */
  onMade: (ref: string, key: string, path: string) => Promise<void>
  log: Log
}

/** A file of a day that is over is sealed when nothing has come for a minute, or after a quarter of an hour. */
const [quietMs, lateMs] = [60_000, 15 * 60_000]

/** What this process writes: a file for each project and day, in one write whenever there is something. */
export function createSegments(options: Options) {
  const { folders, writers, now, everyMs, limits, log } = options
  const waiting = createWaiting({ now, limits })
  /** By project, then by day. */
  const open = new Map<string, Map<number, Segment>>()
  const lostAt = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let lostTimer: NodeJS.Timeout | undefined
  let closed = false
  /** One after the other: a file is written, closed and sealed by one of them at a time. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  async function segmentOf(ref: string, day: number): Promise<Segment> {
    const days = open.get(ref) ?? new Map<number, Segment>()
    open.set(ref, days)
    const known = days.get(day)
    if (known) return known
    await folders.make(ref, day)
    const key = await writers.key()
    const made = new Segment({
      folder: folders.ofDay(ref, day),
      key,
      day,
      mode: folders.fileMode,
      now: now(),
      onMade: (path) => options.onMade(ref, key, path),
    })
    days.set(day, made)
    return made
  }
  function forget(ref: string, segment: Segment): void {
    const days = open.get(ref)
    if (days?.get(segment.day) === segment) days.delete(segment.day)
    if (days?.size === 0) open.delete(ref)
  }
  async function seal(ref: string, segment: Segment): Promise<void> {
    forget(ref, segment)
    await segment.seal()
  }

  async function writeBatch(ref: string, batch: Batch): Promise<Unwritten | undefined> {
    const segment = await segmentOf(ref, batch.day)
    const before = segment.bytes
    const unwritten = await segment.write(batch, now())
    options.onWritten(segment.bytes - before, ref)
    // A file that has failed is not trusted with more; one that could not even be begun is tried again.
    const isOver = segment.bytes >= limits.segmentBytes || (unwritten && segment.bytes > 0)
    if (isOver) await seal(ref, segment)
    return unwritten
  }
  /** Answers those that could not be written. */
  async function tryToWrite(ref: string, batch: Batch): Promise<Unwritten | undefined> {
    try {
      return await writeBatch(ref, batch)
    } catch (error) {
      // Another process has removed the folder, as it does with a day that is over: it is made again.
      const segment = open.get(ref)?.get(batch.day)
      if (segment) await seal(ref, segment)
      if (!isMissing(error)) return { times: batch.times, error }
    }
    try {
      return await writeBatch(ref, batch)
    } catch (error) {
      return { times: batch.times, error }
    }
  }
  async function writeProject(ref: string, withLost: boolean): Promise<void> {
    for (const batch of waiting.take(ref)) {
      const unwritten = await tryToWrite(ref, batch)
      if (!unwritten || unwritten.times.length === 0) continue
      log.error(
        { err: unwritten.error, ref, count: unwritten.times.length },
        'entries of logs could not be written and are lost',
      )
      waiting.lose(ref, lostBy(unwritten))
    }
    if (withLost || now() - (lostAt.get(ref) ?? 0) >= limits.lostEveryMs) await writeLost(ref)
  }
  async function writeLost(ref: string): Promise<void> {
    const lost = waiting.takeLost(ref)
    if (lost.length === 0) return
    lostAt.set(ref, now())
    for (const one of lost) {
      const id = `lost-${await writers.key()}`
      const batch = { day: dayOf(one.from), lines: [lostLine(id, one)], times: [one.from] }
      // Still no room: it is told when there is some.
      if (await tryToWrite(ref, batch)) waiting.lose(ref, one)
    }
  }
  async function writeAll(withLost: boolean): Promise<void> {
    for (const ref of waiting.refs()) await writeProject(ref, withLost)
    if (waiting.refs().length > 0 && !closed) writeLostLater()
  }
  const write = () => {
    void inTurn(() => writeAll(false)).catch((error: unknown) => {
      log.error({ err: error }, 'logs could not be written')
    })
  }
  function writeSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      write()
    }, everyMs).unref()
  }
  function writeLostLater(): void {
    lostTimer ??= setTimeout(() => {
      lostTimer = undefined
      write()
    }, limits.lostEveryMs).unref()
  }
  const each = function* (): Generator<[string, Segment]> {
    for (const [ref, days] of open) for (const segment of days.values()) yield [ref, segment]
  }

  return {
    append(ref: string, events: readonly NewEvent[]): void {
      waiting.append(ref, events)
      writeSoon()
    },
    lose(ref: string, lost: LostEvents): void {
      waiting.lose(ref, lost)
      writeSoon()
    },
    /** Everything that was appended is in a file, or counted as lost. */
    flush: (): Promise<void> => inTurn(() => writeAll(true)),
    /** Where the entries of the files lie to which this process adds, by key. */
    spans(ref: string): Map<string, Span> {
      const found = new Map<string, Span>()
      for (const { key, span } of open.get(ref)?.values() ?? []) if (span) found.set(key, span)
      return found
    },
    /** Whether this process may still add to the file of a key. */
    isOpen: (ref: string, key: string): boolean =>
      [...(open.get(ref)?.values() ?? [])].some((segment) => segment.key === key),
    /** Closes what rests, and seals what is of a day that is over. */
    tidy: (): Promise<void> =>
      inTurn(async () => {
        const today = dayOf(now() * 1000)
        for (const [ref, segment] of each()) {
          const quiet = now() - segment.usedAt
          const isDue = quiet > quietMs || now() - segment.openedAt > lateMs
          if (await segment.isGone()) forget(ref, segment)
          else if (segment.day < today && isDue) await seal(ref, segment)
          else if (quiet > limits.closeAfterMs) await segment.rest()
        }
      }),
    /** The files are another's from now on: this process goes on in new ones. */
    abandon: (): Promise<void> =>
      inTurn(async () => {
        for (const [ref, segment] of each()) {
          forget(ref, segment)
          await segment.rest()
        }
      }),
    /** Ends the files of a project, of all days or of those before one, and keeps nothing of what waits. */
    let: (ref: string, before = Infinity): Promise<void> =>
      inTurn(async () => {
        if (before === Infinity) waiting.drop(ref)
        for (const [of, segment] of each())
          if (of === ref && segment.day < before) await seal(ref, segment)
      }),
    close: (): Promise<void> =>
      inTurn(async () => {
        closed = true
        clearTimeout(timer)
        clearTimeout(lostTimer)
        await writeAll(true)
        for (const [ref, segment] of each()) await seal(ref, segment)
      }),
  }
}
export type Segments = ReturnType<typeof createSegments>

const lostBy = ({ times }: Unwritten): LostEvents => ({
  from: times.reduce((a, b) => Math.min(a, b)),
  to: times.reduce((a, b) => Math.max(a, b)),
  count: times.length,
  // Whatever the system said: there was no room, or it could not be used.
  reason: 'disk',
})
