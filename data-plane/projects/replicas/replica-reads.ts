import { isLostConnection } from '#kit/postgres/lost-connection'
import type { Row, Transaction } from '../transaction.ts'
import { Lag } from './lag.ts'
import type { Replica } from './replica.ts'

/** Where a replica is, and its five letters. */
export type ReplicaPlace = { identifier: string; host: string; port: number }
/** What a replica has answered, and which one. */
export type ReplicaAnswer = { rows: Row[][]; identifier: string }

type Options = {
  /** Those that there are now. */
  places: () => readonly ReplicaPlace[]
  open: (place: ReplicaPlace) => Replica
  /** Up to where the primary has written. */
  written: () => Promise<bigint>
  /** A replica that may be further behind, in milliseconds, is not asked. */
  maxLagMs: number
  drainMs: number
  onError: (error: unknown, identifier: string | undefined) => void
  /** For tests: milliseconds of any clock that never goes back. */
  now?: () => number
}
type Known = { place: ReplicaPlace; replica: Replica; lag: Lag; isAway: boolean }

/** Milliseconds that a request waits to hear whether a replica is up to date. */
const lookMs = 1000

/** The server itself has ended a statement that took too long: elsewhere it would take as long. */
const isCancelled = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === '57014'

/**
 * Reads of one project that may go to its replicas. How far these are behind is looked at while there are such reads: the primary
 * says up to where it has written, and each replica up to where it has replayed.
 */
export function createReplicaReads(options: Options) {
  const {
    places,
    open,
    written,
    maxLagMs,
    drainMs,
    onError,
    now = () => performance.now(),
  } = options
  const everyMs = Math.min(1000, Math.max(100, maxLagMs / 4))
  const known = new Map<string, Known>()
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined

  const isSame = (a: ReplicaPlace, b: ReplicaPlace) => a.host === b.host && a.port === b.port
  function forget(identifier: string): void {
    const gone = known.get(identifier)
    known.delete(identifier)
    gone?.replica.close(drainMs).catch((error: unknown) => onError(error, identifier))
  }
  /** Takes over which there are. */
  function settle(): void {
    const current = new Map(places().map((place) => [place.identifier, place]))
    for (const { place } of known.values()) {
      const other = current.get(place.identifier)
      if (!other || !isSame(place, other)) forget(place.identifier)
    }
    for (const place of current.values())
      if (!known.has(place.identifier))
        known.set(place.identifier, {
          place,
          replica: open(place),
          lag: new Lag(maxLagMs),
          isAway: false,
        })
  }

  /** Never rejects: who cannot be asked is behind, sooner or later. */
  async function look(): Promise<void> {
    const at = now()
    lookedAt = at
    try {
      const lsn = await written()
      await Promise.all([...known.values()].map((one) => lookAt(one, at, lsn)))
    } catch (error) {
      onError(error, undefined)
    }
  }
  async function lookAt(one: Known, at: number, lsn: bigint): Promise<void> {
    one.lag.mark(at, lsn)
    try {
      one.lag.replayed(await one.replica.position())
      one.isAway = false
    } catch (error) {
      one.isAway = true
      onError(error, one.place.identifier)
    }
  }

  const usable = () =>
    [...known.values()].filter(({ isAway, lag }) => !isAway && lag.behindMs(now()) <= maxLagMs)

  async function choose(): Promise<Known | undefined> {
    if (now() - lookedAt >= everyMs) looking ??= look().finally(() => (looking = undefined))
    if (usable().length === 0 && looking) await within(looking, lookMs)
    return usable().toSorted((a, b) => a.replica.busy - b.replica.busy)[0]
  }

  return {
    /** Undefined: none of them can be asked, or the one that was has failed. The primary answers then, whatever went wrong. */
    async read(login: string, transaction: Transaction): Promise<ReplicaAnswer | undefined> {
      settle()
      const one = known.size === 0 ? undefined : await choose()
      if (!one) return undefined
      const { identifier } = one.place
      try {
        return { rows: await one.replica.run(login, transaction), identifier }
      } catch (error) {
        if (isCancelled(error)) throw error
        // Until the next look finds it again.
        if (isLostConnection(error)) one.isAway = true
        onError(error, identifier)
        return undefined
      }
    },
    get busy() {
      return [...known.values()].some(({ replica }) => replica.busy > 0)
    },
    resize: (max: number) => {
      for (const { replica } of known.values()) replica.resize(max)
    },
    trim: (time: number) => {
      settle()
      for (const { replica } of known.values()) replica.trim(time)
    },
    async close(): Promise<void> {
      const all = [...known.values()]
      known.clear()
      await Promise.all(all.map(({ replica }) => replica.close(drainMs)))
    },
  }
}
export type ReplicaReads = ReturnType<typeof createReplicaReads>

/** Waits for `work`, and no longer than so many milliseconds. */
async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, ms)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
