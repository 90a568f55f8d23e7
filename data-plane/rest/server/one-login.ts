import type { ClientConfig } from 'pg'
import type { Log } from '#kit/log'
import { Client } from '#kit/postgres/client'
import { openByWays } from '#kit/postgres/tls/tls-modes'
import { cutOff } from '../../projects/cancel.ts'
import { Pool, PoolClosedError } from '../../projects/pool.ts'
import { runOn } from '../../projects/run-on.ts'
import type { Row, Statement, Transaction } from '../../projects/transaction.ts'
import { catalogRole, type Database } from '../database.ts'
import type { DatabaseLogin } from './database-url.ts'

type Options = {
  /** Its login can take the role of every request. */
  login: DatabaseLogin
  /** Most connections for requests; one more listens. */
  connections: number
  /** Milliseconds that a request waits for a connection. */
  waitMs: number
  /** Milliseconds after which a connection that nobody uses is ended. */
  idleMs: number
  log: Log
}

export type OneLogin = Database & {
  /** Lets requests under way finish for so many milliseconds. */
  close(drainMs: number): Promise<void>
}

/** A function may have taken another role for the whole session; the catalogs are read as the login itself. */
const ownRole: Statement = { text: 'reset role', values: [] }

/** A database that all requests enter by one login, each taking its role for one transaction. */
export function openOneLogin({ login, connections, waitMs, idleMs, log }: Options): OneLogin {
  const dedicated = new Set<Client>()
  const listeners = new Set<() => void>()
  const onError = (error: Error) => log.warn({ err: error }, 'A database connection broke')
  const ours: ClientConfig = {
    ...login.config,
    application_name: 'plinth',
    connectionTimeoutMillis: 5000,
  }
  const pool = new Pool({ config: ours, tls: login.ways, max: connections, waitMs, onError })
  const sweep = setInterval(() => pool.trim(performance.now() - idleMs), Math.max(idleMs / 4, 100))
  sweep.unref()

  async function run(role: string, transaction: Transaction): Promise<Row[][]> {
    const acquired = pool.acquire()
    const client = acquired instanceof Client ? acquired : await acquired
    const runOne = (one: Transaction) => runOn(pool, client, one, warn)
    if (role !== catalogRole) return await runOne(transaction)
    const statements = [ownRole, ...transaction.statements]
    return (await runOne({ ...transaction, statements })).slice(1)
  }

  const warn = (error: unknown) =>
    log.warn({ err: error }, 'A connection could not be cleaned and is closed')

  const database: OneLogin & { closed: boolean } = {
    run,
    async dedicated() {
      return openByWays(login.ways, async (ssl) => {
        if (database.closed) throw new PoolClosedError('The connections are being closed')
        const client = new Client({ ...ours, ssl })
        client.on('error', onError)
        client.once('end', () => dedicated.delete(client))
        dedicated.add(client)
        await client.connect()
        return client
      })
    },
    onClose: (listener) => listeners.add(listener),
    closed: false,
    async close(drainMs) {
      if (database.closed) return
      database.closed = true
      clearInterval(sweep)
      for (const listener of listeners) listener()
      await pool.close(drainMs)
      for (const client of dedicated) cutOff(client)
    },
  }
  return database
}
