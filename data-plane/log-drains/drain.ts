import type { Limiter } from '#kit/concurrency'
import type { Log } from '#kit/log'
import { waitAfter, type BackOff } from './back-off.ts'
import type { Gathering } from './destinations/destinations.ts'
import type { Destination, DrainBatch, DrainEvent } from './drain-event.ts'
import { createGap } from './gap.ts'
import type { DrainRecord } from './record.ts'
import type { Send, Sent } from './send.ts'
import type { Portion, Supply } from './supply.ts'

export type DrainTiming = {
  /** Milliseconds in which entries gather to a batch. */
  gatherMs: number
  /** Milliseconds that entries wait for a drain that fails. */
  longestWaitMs: number
  /** Milliseconds of a request that make a drain a slow one, and for how long. */
  slowMs: number
  slowForMs: number
  /** Milliseconds that a request may still take when the process ends. */
  graceMs: number
  backOff: BackOff
}
type Way = { destination: Destination; gathering: Gathering; supply: Supply }
type Options = {
  token: string
  owner: DrainBatch['owner']
  way: Way
  send: Send
  /** Lets a step begin when there is a place for it; those that fail or are slow have places of their own. */
  placesOf: (isSlow: boolean) => Limiter
  record: DrainRecord
  /** Something in the record has changed. */
  onRecord: () => void
  /** Was taken by the other side: entries, and bytes as they went. */
  onDelivered: (entries: number, bytes: number) => void
  timing: DrainTiming
  /** Milliseconds since 1970. */
  now: () => number
  log: Log
}
/** `idle`: nothing is to be done before somebody says so, or a timer. */
type Next = 'go on' | 'idle'

/** Entries that are looked at together where they may be too old. */
const oldAtOnce = { entries: 1000, bytes: 1024 ** 2 }
/** Milliseconds until it is tried again to read what is to be sent. */
const readAgainMs = 15_000

/**
 * Sends what its supply has, one batch after the other. What the other side has not taken stays with the supply. There is a
 * timer only while something waits, and memory is held only while a batch is under way.
 */
export function createDrain(options: Options) {
  const { token, owner, send, placesOf, record, onRecord, timing, now, log } = options
  let { destination, gathering, supply } = options.way
  const gap = createGap(now)
  const closing = new AbortController()
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let dueAt = Infinity
  let running: Promise<void> | undefined
  let again = false
  let cannotRead = false
  let failures = 0
  /** By the clock of this process; who answers late now and then is not quick in between. */
  let slowUntil = 0
  let limit = mostOf()
  /** Since when something waits that is not a batch yet. */
  let gatheringSince: number | undefined

  function mostOf(): number {
    return Math.min(gathering.entries, destination.most ?? Infinity)
  }
  function goIn(ms: number): void {
    const when = performance.now() + ms
    if (closed || dueAt <= when) return
    clearTimeout(timer)
    dueAt = when
    timer = setTimeout(go, ms).unref()
  }
  function go(): void {
    clearTimeout(timer)
    dueAt = Infinity
    if (closed) return
    if (running) {
      again = true
      return
    }
    again = false
    running = rounds()
      .then(
        () => {
          cannotRead = false
        },
        (error: unknown) => {
          if (!cannotRead)
            log.warn({ err: error, drain: token }, 'Entries for a log drain could not be read')
          cannotRead = true
          goIn(readAgainMs)
        },
      )
      .finally(() => {
        running = undefined
        if (again && !hasItsTime()) goIn(timing.gatherMs)
      })
  }
  /** One that fails is not woken by what comes: it is tried again when it is due. */
  function hasItsTime(): boolean {
    return (failures > 0 || cannotRead) && dueAt < Infinity
  }
  async function rounds(): Promise<void> {
    let next: Next = 'go on'
    while (next === 'go on' && !closed) {
      if (await gathers()) return
      next = await placesOf(failures > 0 || slowUntil > performance.now())(step)
    }
  }
  /** Whether more is to come before something is sent. */
  async function gathers(): Promise<boolean> {
    if (gathering.afterMs === 0 || failures > 0) return false
    const bytes = await supply.waiting()
    if (bytes === undefined) return false
    if (bytes === 0) gatheringSince = undefined
    else gatheringSince ??= performance.now()
    if (gatheringSince === undefined) return true
    const left = gatheringSince + gathering.afterMs - performance.now()
    if (bytes >= gathering.bytes || left <= 0) return false
    goIn(left)
    return true
  }

  async function step(): Promise<Next> {
    if (closed) return 'idle'
    if (failures > 0) await giveUpOld()
    // Has a place of its own, but in a request of a single entry.
    const notice = limit > 1 ? gap.notice() : undefined
    const room = notice ? limit - 1 : limit
    const portion = await supply.next({ entries: room, bytes: gathering.bytes })
    if (!portion) return 'idle'
    const { entries, isAll } = portion
    if (entries.length === 0) {
      await take(portion)
      return isAll ? 'idle' : 'go on'
    }
    const began = performance.now()
    const sent = await send(
      destination.request({
        owner,
        events: notice ? [notice.event, ...entries] : entries,
        now: now(),
      }),
      closing.signal,
    )
    const ended = performance.now()
    if (ended - began > timing.slowMs) slowUntil = ended + timing.slowForMs
    if (sent.ok) {
      if (notice) gap.told(notice)
      return delivered(portion, sent)
    }
    if (closing.signal.aborted) return 'idle'
    if (sent.status !== 413) return failed(sent)
    if (notice && entries.length === 1) {
      limit = 1
      return 'go on'
    }
    return tooLarge(portion, sent)
  }
  async function take(portion: Portion, count?: number): Promise<void> {
    try {
      await portion.taken(count)
    } catch (error) {
      // This process knows it all the same; the next one would send it again.
      log.error({ err: error, drain: token }, 'How far a log drain has come could not be kept')
    }
  }
  async function delivered(portion: Portion, { bytes }: Sent): Promise<Next> {
    const { entries, isAll } = portion
    await take(portion)
    failures = 0
    gatheringSince = undefined
    limit = Math.min(limit * 2, mostOf())
    record.delivered(entries.length, bytes, newestOf(entries))
    options.onDelivered(entries.length, bytes)
    onRecord()
    return isAll ? 'idle' : 'go on'
  }
  /** Half of it is tried at once; an entry that is too large alone is never taken, and those behind it shall not wait. */
  async function tooLarge(portion: Portion, { detail }: Sent): Promise<Next> {
    const { length } = portion.entries
    if (length > 1) {
      limit = Math.ceil(length / 2)
      return 'go on'
    }
    await take(portion)
    log.warn({ drain: token, detail }, 'An entry is too large for a log drain, and is lost for it')
    lost(1, `An entry was too large and was left out: ${detail}`.slice(0, 500))
    return 'go on'
  }
  function failed({ status, detail, retryAfterMs }: Sent): Next {
    failures += 1
    const wait = waitAfter(failures, retryAfterMs, timing.backOff)
    if (failures === 1) log.info({ drain: token, status }, 'A log drain fails')
    record.failed(detail, now() + wait)
    onRecord()
    goIn(wait)
    return 'idle'
  }
  function lost(entries: number, why?: string): void {
    record.lost(entries, why)
    gap.add(entries)
    onRecord()
  }
  async function giveUpOld(): Promise<void> {
    const oldest = (now() - timing.longestWaitMs) * 1000
    for (;;) {
      const portion = await supply.next(oldAtOnce)
      if (!portion) return
      const { entries } = portion
      const isKept = ({ timestamp }: DrainEvent) => timestamp >= oldest
      const first = entries.findIndex(isKept)
      const old = first < 0 ? entries.length : first
      if (old > 0) lost(old)
      if (old > 0 || entries.length === 0) await take(portion, old)
      if (first >= 0) return
    }
  }

  return {
    /** Entries that were given up elsewhere. */
    lost,
    /** Something may have come. */
    wake(): void {
      if (running) again = true
      else if (!hasItsTime()) goIn(timing.gatherMs)
    },
    /** Goes on in another way, at once. */
    change(way: Way): void {
      ;({ destination, gathering, supply } = way)
      failures = 0
      limit = mostOf()
      record.begunAnew()
      onRecord()
      go()
    },
    /** What is under way has a moment to end; what is not taken then may come twice. */
    async close(graceMs = timing.graceMs): Promise<void> {
      closed = true
      clearTimeout(timer)
      const grace = setTimeout(() => closing.abort(), graceMs)
      await running
      clearTimeout(grace)
    },
  }
}
export type Drain = ReturnType<typeof createDrain>

const newestOf = (events: readonly DrainEvent[]): number =>
  events.reduce((newest, { timestamp }) => Math.max(newest, timestamp), 0)
