import { callbackify } from 'node:util'
import type { ClientConfig, PoolConfig } from 'pg'
import { Client, Pool } from '#kit/postgres/client'
import { isBrokenConnection } from '#kit/postgres/lost-connection'
import { cutOff } from './cancel.ts'
import type { ConnectionBudget } from './connection-budget.ts'

type Connected = (error?: Error) => void

/** Milliseconds: for a place in the budget, and then for the server's answer. */
export type Waits = { waitMs: number; connectMs: number }

/**
 * A connection that takes a place of the budget before it is opened and gives it back when it has ended or could not be
 * opened. Looks like the driver's own to its pool.
 */
export function budgetedClient(budget: ConnectionBudget, { waitMs, connectMs }: Waits) {
  return class BudgetedClient extends Client {
    private holds = false

    constructor(config?: ClientConfig) {
      super({ ...config, connectionTimeoutMillis: connectMs })
      this.once('end', () => this.giveBack())
      this.on('error', (error) => isBrokenConnection(error) && budget.broke())
    }

    private giveBack(): void {
      if (!this.holds) return
      this.holds = false
      budget.give()
    }

    private async open(): Promise<Client> {
      await budget.takeSoon(waitMs)
      this.holds = true
      try {
        await super.connect()
        return this
      } catch (error) {
        if (error instanceof Error && isBrokenConnection(error)) budget.broke()
        this.giveBack()
        throw error
      }
    }

    override connect(): Promise<Client>
    override connect(callback: Connected): void
    override connect(callback?: Connected): Promise<Client> | void {
      const opened = this.open()
      if (!callback) return opened
      callbackify(() => opened)(callback)
    }
  }
}

/** The driver's pool within a budget: it ends idle connections when somebody else wants their places. */
export function budgetedPool(config: PoolConfig, budget: ConnectionBudget, waits: Waits): Pool {
  // The pool's own clock runs while a connection waits for its place, too.
  const connectionTimeoutMillis = waits.waitMs + waits.connectMs
  const pool = new Pool(
    { ...config, connectionTimeoutMillis },
    class extends budgetedClient(budget, waits) {
      constructor() {
        super(config)
      }
    },
  )
  const holder = { giveIdle }
  function giveIdle(): boolean {
    if (pool.idleCount === 0 || pool.waitingCount > 0 || pool.ending) return false
    // The only way to an idle connection is to take it; this one is not given back.
    pool.connect((_error, _client, release) => release(true))
    return true
  }
  const leave = budget.join(holder)
  pool.on('release', () => {
    // It is idle a moment after it says so.
    if (budget.requestedBeside(holder))
      setImmediate(() => budget.requestedBeside(holder) && giveIdle())
  })
  const end = pool.end.bind(pool)
  pool.end = (...done: []) => {
    leave()
    return end(...done)
  }
  return pool
}

/**
 * Has a pool of the driver open its connections anew: what is idle ends now, what is in use when it is given back, and is cut off
 * after `drainMs`. `open` are its connections.
 */
export function renewPool(pool: Pool, open: ReadonlySet<Client>, drainMs: number): void {
  const old = new Set(open)
  const end = (client: Client) => {
    // The pool gives away nothing that is ending.
    if (old.has(client)) client.end().catch(() => client.connection.stream.destroy())
  }
  const onRelease = (_error: unknown, client: Client) => end(client)
  pool.on('release', onRelease)
  // The only way to an idle connection is to take it.
  for (let idle = pool.idleCount; idle > 0; idle--)
    pool.connect((_error, _client, release) => release(true))
  const timer = setTimeout(() => {
    pool.off('release', onRelease)
    for (const client of old) if (open.has(client)) cutOff(client)
  }, drainMs)
  timer.unref()
}
