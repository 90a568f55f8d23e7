import { randomBytes } from 'node:crypto'
import type { LogColumn, LogLevel, LogSource } from '#contract/observability/log-sources'
import { createCaps } from './caps.ts'
import type { LogStore, NewEvent } from './log-store.ts'
import { redactText } from './redact.ts'

/** What a service says of something that happened. */
export type Noted = {
  level: LogLevel
  message: string
  columns?: NewEvent['columns']
  rest?: Record<string, string | number | boolean | undefined>
  /** Microseconds since 1970; now unless told. */
  timestamp?: number
  /** One of ours unless told: who sends an entry again gives it the same. */
  id?: string
}

export type Logs = {
  /** Writes an entry. It never waits and never fails. */
  note(ref: string, source: LogSource, noted: Noted): void
  close(): void
}

/** Characters of each kind of text at most; what is longer is cut, and says so. */
export const longest = { message: 10_000, path: 2000, search: 4000, other: 1000 } as const
const longestOf = (name: string): number =>
  name === 'path' ? longest.path : name === 'search' ? longest.search : longest.other

/** Takes entries of all services, bounds and redacts them, and keeps a project from writing more than its share. */
export function createLogs(store: LogStore, now = microseconds): Logs {
  const caps = createCaps({ lose: store.lose, now })
  const newId = eventIds()
  return {
    note(ref, source, noted) {
      const timestamp = noted.timestamp ?? now()
      if (!caps.allows(ref, noted.level, timestamp)) return
      const event: NewEvent = {
        id: noted.id ?? newId(),
        timestamp,
        source,
        level: noted.level,
        message: noted.message === '' ? '' : redactText(cut(noted.message, longest.message)),
        columns: bounded(noted.columns),
      }
      if (noted.rest) event.rest = bounded(noted.rest)
      store.append(ref, [event])
    },
    close: () => caps.close(),
  }
}

/** Nobody reads the logs of this installation: nothing is written. */
export const noLogs: Logs = { note: () => {}, close: () => {} }

function bounded<V extends string | number | boolean>(
  values: Partial<Record<LogColumn, V>> | Record<string, V | undefined> | undefined,
): Record<string, V> {
  const kept: Record<string, V> = {}
  for (const name in values) {
    // The two kinds of records differ in their keys alone.
    const value = (values as Record<string, V | undefined>)[name]
    if (value === undefined) continue
    kept[name] = typeof value === 'string' ? (cut(value, longestOf(name)) as V) : value
  }
  return kept
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`

const startedAt = Date.now() * 1000 - Math.round(performance.now() * 1000)
let lastClock = 0
/** Microseconds since 1970. It follows the clock of the machine, also where that is set; between its ticks it counts on. */
export function microseconds(): number {
  const clock = Date.now() * 1000
  const counted = startedAt + Math.round(performance.now() * 1000)
  const time = Math.abs(clock - counted) < 5000 ? counted : clock
  lastClock = time > lastClock || lastClock - time > 1_000_000 ? time : lastClock + 1
  return lastClock
}

/** Ids in the shape of UUIDs, as public templates expect them. A random one for each entry would cost half as much as the rest. */
function eventIds(): () => string {
  const process = randomBytes(8).toString('hex')
  const prefix = `${process.slice(0, 8)}-${process.slice(8, 12)}-8${process.slice(12, 15)}-a${randomBytes(2).toString('hex').slice(1)}-`
  let count = 0
  return () => prefix + (++count).toString(16).padStart(12, '0')
}
