import type { ClientConfig } from 'pg'
import { Client } from '#kit/postgres/client'
import { isBrokenConnection } from '#kit/postgres/lost-connection'
import { isTlsRefusal, type TlsWay } from '#kit/postgres/tls/tls-modes'
import { cutOff } from './cancel.ts'
import type { ConnectionBudget, Holder } from './connection-budget.ts'

/** Nobody got a connection in time: all are busy. */
export class PoolTimeoutError extends Error {
  readonly code = 'pool_timeout'
}
/** The pool closes because its project goes away or moves. */
export class PoolClosedError extends Error {
  readonly code = 'pool_closed'
}

export type PoolOptions = {
  config: ClientConfig
  /** One after the other until the server takes one; none: as `config` says. */
  tls?: readonly TlsWay[]
  /** Most connections at once. */
  max: number
  /** Milliseconds a caller waits for a connection. */
  waitMs: number
  /** What other pools of the same server take their places from, too; none: `most` is all there is. */
  budget?: ConnectionBudget
  /** Hears of connections that break while nobody uses them. */
  onError: (error: Error) => void
}
type Waiting = {
  give: (client: Client) => void
  fail: (error: Error) => void
  timer: NodeJS.Timeout
}

/**
 * Connections of one login role. The most recently used one is handed out first, so that few stay warm under light load.
 * Smaller than the driver's own pool where it matters: no timer and no promise per use of an idle connection.
 */
export class Pool implements Holder {
  private readonly options: PoolOptions
  private readonly opening = new Set<Client>()
  /** Every open connection and when it was last given back. */
  private readonly open = new Map<Client, number>()
  /** Last used last. */
  private readonly idle: Client[] = []
  /** Those that nobody is to get again. */
  private readonly old = new WeakSet<Client>()
  private readonly waiting: Waiting[] = []
  private closed = false
  private max: number
  /** Which of the ways of TLS the server took last. */
  private way = 0
  private readonly leave: (() => void) | undefined
  /** Set while a place of the budget is awaited. */
  private noPlace: (() => void) | undefined

  constructor(options: PoolOptions) {
    this.options = options
    this.max = options.max
    this.leave = options.budget?.join(this)
  }

  get size(): number {
    return this.open.size + this.opening.size
  }

  get busy(): number {
    return this.size - this.idle.length
  }

  /** An idle connection at once, or a promise of one. Give it back with `release`, whatever happened to it. */
  acquire(): Client | Promise<Client> {
    const client = this.idle.pop()
    if (client) return client
    if (this.closed) return Promise.reject(new PoolClosedError('The connections are being closed'))
    return new Promise((give, fail) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1)
        fail(new PoolTimeoutError('Timed out acquiring connection from connection pool.'))
      }, this.options.waitMs)
      const waiting = { give, fail, timer }
      this.waiting.push(waiting)
      this.openForWaiting()
    })
  }

  release(client: Client): void {
    if (!this.open.has(client)) return
    // It broke in the midst of its work, and its end has not come round yet.
    if (client.connection.stream.destroyed) {
      this.forget(client)
      return
    }
    const { budget } = this.options
    const requested = budget?.requestedBeside(this) ?? false
    // Others wait who have less: whoever waits here waits with them.
    if (
      this.old.has(client) ||
      this.size > this.max ||
      (requested && budget && this.size > budget.share)
    ) {
      this.end(client)
      return
    }
    const next = this.waiting.shift()
    if (next) {
      clearTimeout(next.timer)
      next.give(client)
      return
    }
    if (this.closed || requested) {
      this.end(client)
      return
    }
    this.open.set(client, performance.now())
    this.idle.push(client)
  }

  /** Instead of `release`, for a connection that nobody should get again. */
  discard(client: Client): void {
    client.connection.stream.destroy()
    this.forget(client)
  }

  /** Another number of connections at most. What is too many ends at once, or when it is given back. */
  resize(max: number): void {
    this.max = max
    for (const client of this.idle.splice(0, Math.max(0, this.size - max))) this.end(client)
    for (let waiting = this.waiting.length; waiting > 0; waiting--) this.openForWaiting()
  }

  /**
   * Everybody gets a connection from now on that was opened after this. What is in use ends when it is given back, and is cut off
   * after `drainMs`.
   */
  renew(drainMs: number): void {
    for (const client of this.idle.splice(0)) this.end(client)
    const used = [...this.open.keys()]
    for (const client of used) this.old.add(client)
    const timer = setTimeout(() => {
      for (const client of used) if (this.open.has(client)) cutOff(client)
    }, drainMs)
    timer.unref()
  }

  /** Ends what nobody has used since `time` (of performance.now()). */
  trim(time: number): void {
    while (this.idle[0] && (this.open.get(this.idle[0]) ?? 0) < time) {
      const client = this.idle.shift()
      if (client) this.end(client)
    }
  }

  /** Lets what runs finish until the deadline, then cuts it off. Nobody new gets a connection. */
  async close(drainMs: number): Promise<void> {
    this.closed = true
    this.leave?.()
    this.noPlace?.()
    for (const { fail, timer } of this.waiting.splice(0)) {
      clearTimeout(timer)
      fail(new PoolClosedError('The connections are being closed'))
    }
    for (const client of this.opening) client.connection.stream.destroy()
    for (const client of this.idle.splice(0)) this.end(client)
    if (this.open.size > 0) await this.drained(drainMs)
    for (const client of this.open.keys()) cutOff(client)
  }

  private drained(deadlineMs: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, deadlineMs)
      for (const client of this.open.keys()) {
        client.once('end', () => {
          if (this.open.size > 0) return
          clearTimeout(timer)
          done()
        })
      }
    })
  }

  private openForWaiting(): void {
    if (this.closed || this.opening.size >= this.waiting.length || this.size >= this.max) return
    if (this.takePlace()) this.openBy(this.way, 1)
  }

  /** `tried`: how many ways of TLS have been, with this one. */
  private openBy(way: number, tried: number): void {
    const { config, tls = [] } = this.options
    const ssl = tls[way]
    const client = new Client(ssl === undefined ? config : { ...config, ssl })
    this.opening.add(client)
    client.on('error', (error) => {
      if (this.closed) return
      if (isBrokenConnection(error)) this.options.budget?.broke()
      this.options.onError(error)
    })
    client.once('end', () => this.forget(client))
    client.connect().then(
      () => {
        this.way = way
        this.opening.delete(client)
        this.open.set(client, performance.now())
        this.release(client)
      },
      (error: Error) => {
        this.opening.delete(client)
        if (tried < tls.length && isTlsRefusal(error) && !this.closed) {
          this.openBy((way + 1) % tls.length, tried + 1)
          return
        }
        if (isBrokenConnection(error)) this.options.budget?.broke()
        this.options.budget?.give()
        // Whoever has waited longest hears why; the others get a try of their own.
        const first = this.waiting.shift()
        if (!first) return
        clearTimeout(first.timer)
        first.fail(error)
        this.openForWaiting()
      },
    )
  }

  /** Of the budget; when there is none now, opening goes on once there is. */
  private takePlace(): boolean {
    const { budget } = this.options
    if (!budget || budget.take()) return true
    this.noPlace ??= budget.whenFree(() => {
      this.noPlace = undefined
      this.openForWaiting()
    }, this)
    return false
  }

  /** Ends the connection that was used longest ago. */
  giveIdle(): boolean {
    const client = this.idle.shift()
    if (client) this.end(client)
    return client !== undefined
  }

  private forget(client: Client): void {
    if (!this.open.delete(client)) return
    this.options.budget?.give()
    const index = this.idle.indexOf(client)
    if (index >= 0) this.idle.splice(index, 1)
    this.openForWaiting()
  }

  private end(client: Client): void {
    client.end().catch(this.options.onError)
  }
}
