import {
  lostReasons,
  type LogCursor,
  type LogEvent,
  type LogPage,
  type LostEvents,
} from '#contract/observability/logs'
import { numberText } from '../../../ui/text/number.ts'

/** A line of the list. */
export type Row =
  | { kind: 'event'; key: string; at: number; event: LogEvent }
  | { kind: 'lost'; key: string; at: number; lost: LostEvents }

const lostKey = ({ from, to, reason }: LostEvents) => `lost.${from}.${to}.${reason}`

/** Newest first; in the same microsecond the id decides, as on the server. */
const newestFirst = (a: { timestamp: number; id: string }, b: { timestamp: number; id: string }) =>
  b.timestamp - a.timestamp || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)

/** The lines of the list: each entry once, and what was lost where it was lost. */
export function rowsOf(pages: readonly LogPage[]): Row[] {
  const rows = new Map<string, Row>()
  for (const { events } of pages)
    for (const event of events)
      if (!rows.has(event.id))
        rows.set(event.id, { kind: 'event', key: event.id, at: event.timestamp, event })
  const oldest = pages.at(-1)?.next?.timestamp ?? 0
  const lost = new Map<string, Row>()
  for (const page of pages)
    for (const one of page.lost) {
      const key = lostKey(one)
      // What lies before the entries that are there comes with those.
      if (one.to >= oldest) lost.set(key, { kind: 'lost', key, at: one.to, lost: one })
    }
  // Entries are almost in their order already, and sorting keeps it where times are equal.
  return [...rows.values(), ...lost.values()].toSorted((a, b) => b.at - a.at)
}

/** How far back before the newest entry is asked again: writers do not wait for each other. */
const overlapMicros = 3_000_000

/** From where on a log is followed; undefined: from the beginning of the range. */
export function followFrom(pages: readonly LogPage[]): LogCursor | undefined {
  const newest = pages.find(({ events }) => events.length > 0)?.events[0]
  return newest && { timestamp: Math.max(0, newest.timestamp - overlapMicros), id: '' }
}

/**
 * The entries of `page` that are newer than those of `pages` or between them, the newest first. What is older comes with the
 * pages that are still to be loaded.
 */
export function newIn(page: LogPage, pages: readonly LogPage[]): LogPage {
  const known = new Set(pages.flatMap(({ events }) => events.map(({ id }) => id)))
  const knownLost = new Set(pages.flatMap(({ lost }) => lost.map(lostKey)))
  const end = pages.at(-1)?.next
  return {
    events: page.events
      .filter((event) => !known.has(event.id) && !(end && newestFirst(event, end) >= 0))
      .toSorted(newestFirst),
    lost: page.lost.filter(
      (one) => !knownLost.has(lostKey(one)) && !(end && one.to < end.timestamp),
    ),
  }
}

/** More entries than this are not kept while a log is followed. */
export const maxFollowed = 10_000

/** The newest entries of all, as one page that goes on where it is cut. */
export function cutTo(count: number, pages: readonly LogPage[]): LogPage {
  const all = pages.flatMap(({ events }) => events).toSorted(newestFirst)
  const events = all.slice(0, count)
  const end = events.at(-1)
  const next =
    all.length > count && end ? { timestamp: end.timestamp, id: end.id } : pages.at(-1)?.next
  return { events, lost: pages.flatMap(({ lost }) => lost), ...(next && { next }) }
}

/** Two answers about what came since, as one. */
export const together = (a: LogPage, b: LogPage): LogPage => ({
  events: [...b.events, ...a.events].toSorted(newestFirst),
  lost: [...b.lost, ...a.lost],
})

/** In words, for its line of the list. */
export function lostText({ count, reason }: LostEvents): string {
  const entries = count === 1 ? '1 entry was' : `${numberText(count)} entries were`
  return `${entries} lost here: ${lostReasons[reason]}`
}
