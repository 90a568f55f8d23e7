import {
  maxSent,
  type PeakMetric,
  type SightingKind,
  type SumMetric,
  type UsageReport,
} from '#contract/billing/usage-metrics'
import type { Log } from '#kit/log'
import { createBuckets } from './buckets.ts'
import { createJournal, createSearch, type Entries } from './journal.ts'

export type MeterOptions = {
  /** Where the journals of all processes of this machine lie. */
  folder: string
  /** Takes values over for good; what it rejects is sent again later. Returns how many it refused, as too old. */
  send: (report: UsageReport) => Promise<{ refused: number }>
  log: Log
  /** Milliseconds between two writes to the journal: what a process that is killed loses at most. */
  syncMs?: number
  sendMs?: number
  /** After so many milliseconds without a sign the process of a journal is dead. */
  deadMs?: number
  now?: () => number
}

export type Meter = {
  add(ref: string, metric: SumMetric, amount: number): void
  /** A level that was reached; the highest of a minute counts. */
  peak(ref: string, metric: PeakMetric, level: number): void
  /** Somebody or something that counts once in a billing cycle. */
  seen(ref: string, kind: SightingKind, id: string): void
  /** Is called before each write: who has counted by itself adds it now. */
  beforeSync(look: () => void): void
  close(): Promise<void>
}

/** Nobody takes what this installation's projects use. */
export const noMeter: Meter = {
  add: () => {},
  peak: () => {},
  seen: () => {},
  beforeSync: () => {},
  close: () => Promise.resolve(),
}

/**
 * Counts what projects use. Every second what has changed is written to a journal and synced; every half minute it goes to
 * the control plane, as absolute values of buckets that belong to one start of this process, so that it may go there any number of
 * times. What processes have left that are dead is sent by those that live.
 */
export function createMeter(options: MeterOptions): Meter {
  const { folder, log, syncMs = 1000, sendMs = 30_000, deadMs = 15_000, now } = options
  const buckets = createBuckets(now ? { now } : {})
  const journal = createJournal(folder)
  const search = createSearch(folder, deadMs, journal.isOwn)
  const looks: (() => void)[] = []
  let hasFailed = false

  /** One after the other: writes to the journal. */
  let writing: Promise<void> = Promise.resolve()
  function inTurn(work: () => Promise<void>): Promise<void> {
    writing = writing.then(work).then(
      () => {
        hasFailed = false
      },
      (error: unknown) => {
        if (!hasFailed) log.error({ err: error }, 'What projects use cannot be written down')
        hasFailed = true
        buckets.putBack({ sightings: buckets.waiting().sightings })
      },
    )
    return writing
  }
  const sync = () =>
    inTurn(async () => {
      for (const look of looks) look()
      const isThere = await journal.append(buckets.takeChanged())
      if (!isThere || journal.isLong()) await journal.replace(buckets.waiting())
    })
  const rewrite = () =>
    inTurn(async () => {
      buckets.takeChanged()
      await journal.replace(buckets.waiting())
    })

  /** False when nobody took all of it. */
  async function send(entries: Entries, onTaken: (part: UsageReport) => void): Promise<boolean> {
    const { buckets: all, sightings } = entries
    for (let at = 0; at < Math.max(all.length, sightings.length); at += maxSent) {
      const part = {
        buckets: all.slice(at, at + maxSent),
        sightings: sightings.slice(at, at + maxSent),
      }
      try {
        const { refused } = await options.send(part)
        if (refused > 0) log.warn({ refused }, 'What projects used came too late to be counted')
        onTaken(part)
      } catch (error) {
        log.info({ err: error }, 'What projects use waits: nobody takes it')
        return false
      }
    }
    return true
  }

  async function deliver(): Promise<boolean> {
    const lost = buckets.takeLost()
    if (lost > 0) log.error({ lost }, 'What projects use could not be counted: too much waits')
    const waiting = buckets.waiting()
    const isAll = await send(waiting, buckets.taken)
    if (isAll) await rewrite()
    return isAll
  }

  async function deliverOfDead(): Promise<void> {
    for (const path of await search.dead()) {
      if (await send(await search.read(path), () => {})) await search.remove(path)
    }
  }

  const syncTimer = setInterval(() => void sync(), syncMs)
  let delivering: Promise<unknown> | undefined
  const round = async () => {
    await deliver()
    await deliverOfDead()
  }
  const deliverSoon = () => {
    delivering ??= round()
      .catch((error: unknown) => log.error({ err: error }, 'Journals of usage cannot be read'))
      .finally(() => {
        delivering = undefined
      })
  }
  const sendTimer = setInterval(deliverSoon, sendMs)
  syncTimer.unref()
  sendTimer.unref()
  // So that what the process before this one has left is seen now, and taken in the first round.
  deliverSoon()

  return {
    add: buckets.add,
    peak: buckets.peak,
    seen: buckets.seen,
    beforeSync: (look) => void looks.push(look),
    async close() {
      clearInterval(syncTimer)
      clearInterval(sendTimer)
      await delivering
      await sync()
      const isAll = await deliver()
      await writing
      await journal.close(!isAll)
    },
  }
}
