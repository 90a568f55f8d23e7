/** Microseconds for which lines may come out of their order. */
const windowMicros = 2_000_000
/** Ids that are kept at most. */
const most = 5000

/** Of the same microsecond, where somebody else goes on: more would come again, under their ids. */
const mostNoted = 20

/** Where somebody who has no other memory goes on: the time of the last entry, and all that had the same. */
export type Place = { at: number; ids: string[] }

/**
 * How far the log of a pod was handed over. The API server gives a log again from a whole second on, so what was handed over of that
 * comes again: the entries of the last seconds are known by their ids, and all before them by their time.
 */
export function createCursor({ at: from, ids }: Place = { at: 0, ids: [] }) {
  /** Up to here everything was handed over. */
  let floor = Math.max(from - 1, 0)
  let last = from
  const recent = new Map(ids.map((id) => [id, from]))

  return {
    /** From when on the log is to be asked for; undefined: from its beginning. */
    since: (): string | undefined =>
      floor === 0
        ? undefined
        : new Date(Math.floor(floor / 1_000_000) * 1000).toISOString().replace('.000', ''),
    isNew: (id: string, micros: number): boolean => micros > floor && !recent.has(id),
    handedOver(id: string, micros: number): void {
      recent.set(id, micros)
      last = Math.max(last, micros)
      floor = Math.max(floor, last - windowMicros)
      for (const [known, at] of recent) {
        if (at > floor && recent.size <= most) break
        recent.delete(known)
        floor = Math.max(floor, at)
      }
    },
    /** The time of the last entry. */
    last: () => last,
    place: (): Place => ({
      at: last,
      ids: [...recent]
        .filter(([, at]) => at === last)
        .map(([id]) => id)
        .slice(-mostNoted),
    }),
  }
}
export type Cursor = ReturnType<typeof createCursor>
