import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError, type ClientConfig, type Pool } from 'pg'
import type { Log } from '#kit/log'
import { publicationsThere, slotLag, slotReader } from './changes/changes-store.ts'
import { readWal, slotName, type Change, type Wal } from './changes/wal-store.ts'

type Options = {
  ref: string
  pool: () => Pool
  config: () => ClientConfig
  onChanges: (changes: Change[]) => Promise<void>
  /** How often, in milliseconds, it is looked how far the slot is behind. */
  watchMs: number
  /** Bytes of WAL that the server may keep for us; one that is further behind begins anew. 256 MB unless told. */
  maxLag?: number | undefined
  log: Log
}

const waits = { afterFailure: 5000, forTurn: 1000, forSlot: 20, firstLook: 10_000 }
const usualMostLag = 256 * 1024 * 1024

/**
 * What a project's database commits, read by one slot for the whole project: the process that has it tells the others,
 * and another one takes its turn when it goes. Nothing is read while nobody is connected.
 */
export class Flow {
  private readonly options: Options
  private readonly slot: string
  private wal: Wal | undefined
  /** The server's process that had the slot for us; it may still be ending. */
  private lastPid: number | undefined
  private isRequested = false
  private running: Promise<void> | undefined
  private isLive = false
  private readonly waiting = new Set<(live: boolean) => void>()
  private wake = new AbortController()

  constructor(options: Options) {
    this.options = options
    this.slot = slotName(options.ref, options.config().database ?? '')
  }

  start(): void {
    this.isRequested = true
    this.running ??= this.run().finally(() => (this.running = undefined))
  }

  /** Drops the slot. */
  async stop(): Promise<void> {
    this.isRequested = false
    this.settle(false)
    this.wake.abort()
    this.wake = new AbortController()
    await this.wal?.stop()
    await this.running
  }

  /** Whether changes flow, to us or to another process; waits for it, but not long. */
  live(maxMs = waits.firstLook): Promise<boolean> {
    if (this.isLive || !this.isRequested) return Promise.resolve(this.isLive)
    return new Promise((resolve) => {
      const done = (live: boolean) => {
        clearTimeout(timer)
        this.waiting.delete(done)
        resolve(live)
      }
      const timer = setTimeout(done, maxMs, false)
      this.waiting.add(done)
    })
  }

  private settle(live: boolean): void {
    this.isLive = live
    if (live || !this.isRequested) for (const done of this.waiting) done(live)
  }

  private async run(): Promise<void> {
    while (this.isRequested) {
      const wait = await this.readOnce()
      if (this.isRequested && wait > 0) await this.pause(wait)
    }
  }

  /** @returns milliseconds to wait before the next try */
  private async readOnce(): Promise<number> {
    const { pool, config, onChanges, log, ref } = this.options
    try {
      const publications = await publicationsThere(pool())
      this.wal = await readWal(this.slot, { config: config(), publications, onChanges })
      this.lastPid = this.wal.pid
      if (this.isRequested) await this.watch(this.wal)
      else await this.wal.stop()
      return 0
    } catch (error) {
      if (!this.isRequested) return 0
      if (error instanceof DatabaseError && error.code === '42710') return await this.taken()
      this.settle(false)
      log.warn({ err: error, ref }, 'Changes of a project cannot be read')
      return waits.afterFailure
    } finally {
      this.wal = undefined
    }
  }

  /** The slot is there already: another process reads it and tells us, unless it is our own last one that is still ending. */
  private async taken(): Promise<number> {
    const { pool, log, ref } = this.options
    const reader = await slotReader(pool(), this.slot).catch((error: unknown) => {
      log.info({ err: error, ref }, 'Who reads a slot is not known')
    })
    const isOurs = reader === undefined || reader === this.lastPid
    this.settle(!isOurs)
    return isOurs ? waits.forSlot : waits.forTurn
  }

  /** Until reading ends. Whoever is too far behind lets go of the slot, so that the disk is not filled for them. */
  private async watch(wal: Wal): Promise<void> {
    const { pool, log, ref, watchMs, maxLag = usualMostLag } = this.options
    const timer = setInterval(() => {
      slotLag(pool(), this.slot).then(
        (lag) => {
          if (lag === undefined || lag < maxLag) return
          log.warn(
            { ref, lag },
            'Changes come faster than they can be told; what lies between is left out',
          )
          return wal.stop()
        },
        (error: unknown) => log.info({ err: error, ref }, 'The lag of a slot is not known'),
      )
    }, watchMs)
    timer.unref()
    this.settle(true)
    try {
      await wal.ended
    } finally {
      this.settle(false)
      clearInterval(timer)
      await wal.stop()
    }
  }

  private async pause(ms: number): Promise<void> {
    try {
      await delay(ms, undefined, { ref: false, signal: this.wake.signal })
    } catch (error) {
      // Woken up to end.
      if (this.isRequested) throw error
    }
  }
}
