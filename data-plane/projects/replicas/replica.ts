import type { ClientConfig } from 'pg'
import { isLostConnection } from '#kit/postgres/lost-connection'
import { lsnOf } from '#kit/postgres/recovery/lsn'
import type { ConnectionBudget } from '../connection-budget.ts'
import { Pool, type PoolOptions } from '../pool.ts'
import { runOn } from '../run-on.ts'
import type { Row, Transaction } from '../transaction.ts'
import { replayed } from './position-store.ts'

/** The primary answers in its place, so nobody waits for it long: for a connection, and for a word from it. */
const waitMs = 500
const connectMs = 1000
const answerMs = 1000

/** A replica in use: its connections, opened at first need. */
export type Replica = {
  /** One transaction on a connection of this login. */
  run(login: string, transaction: Transaction): Promise<Row[][]>
  /** Up to where it has replayed. Rejects when it does not say so within a second. */
  position(): Promise<bigint>
  /** How many transactions run there for us. */
  readonly busy: number
  resize(max: number): void
  trim(time: number): void
  close(drainMs: number): Promise<void>
}

type Options = {
  configOf: (login: string) => ClientConfig
  /** Most connections of one login. */
  max: number
  /** Of all connections to this server, whoever opens them. */
  budget: ConnectionBudget
  onError: PoolOptions['onError']
  /** For tests: milliseconds after which it is asked whether it is there still. */
  aliveMs?: number
}

export function openReplica({ configOf, budget, onError, ...options }: Options): Replica {
  const { aliveMs = 2000 } = options
  const pools = new Map<string, Pool>()
  let { max } = options

  function poolOf(login: string): Pool {
    const found = pools.get(login)
    if (found) return found
    const config = { ...configOf(login), connectionTimeoutMillis: connectMs }
    const pool = new Pool({ config, max, budget, waitMs, onError })
    pools.set(login, pool)
    return pool
  }
  const warn = (error: unknown) =>
    onError(error instanceof Error ? error : new Error('A connection was not cleaned'))

  async function position(): Promise<bigint> {
    const pool = poolOf('authenticator')
    const client = await pool.acquire()
    const timer = setTimeout(() => pool.discard(client), answerMs)
    try {
      const [rows] = await runOn(pool, client, replayed, warn)
      return lsnOf(rows?.[0]?.[0] ?? '')
    } finally {
      clearTimeout(timer)
    }
  }

  async function run(login: string, transaction: Transaction): Promise<Row[][]> {
    const pool = poolOf(login)
    const client = await pool.acquire()
    // A server that hangs keeps its connections open. A query may take its time as long as others are answered meanwhile.
    const watch = setInterval(() => {
      position().catch((error: unknown) => {
        if (isLostConnection(error)) pool.discard(client)
      })
    }, aliveMs)
    try {
      return await runOn(pool, client, transaction, warn)
    } finally {
      clearInterval(watch)
    }
  }

  return {
    run,
    position,
    get busy() {
      return [...pools.values()].reduce((sum, pool) => sum + pool.busy, 0)
    },
    resize: (most) => {
      max = most
      for (const pool of pools.values()) pool.resize(most)
    },
    trim: (time) => {
      for (const pool of pools.values()) pool.trim(time)
    },
    close: async (drainMs) => {
      await Promise.all([...pools.values()].map((pool) => pool.close(drainMs)))
    },
  }
}
