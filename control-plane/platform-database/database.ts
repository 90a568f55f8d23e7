import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import type { Pool as DriverPool, PoolConfig } from 'pg'
import type { Log } from '#kit/log'
import { Pool } from '#kit/postgres/client'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

/**
 * The platform database. `pool` is the same one that `db` uses, for the libraries that want a pg pool (auth service,
 * jobs). Losing the server is logged and survived: the pool connects anew with the next query.
 */
export function openDatabase(config: PoolConfig, log: Log): { db: Db; pool: DriverPool } {
  const pool = new Pool({
    max: 20,
    connectionTimeoutMillis: 5000,
    application_name: 'plinth',
    ...config,
  })
  const lost = (error: Error) => log.warn({ err: error }, 'platform database connection lost')
  pool.on('error', lost)
  // The pool listens to idle connections only; one that is lost in the midst of its work would end this process.
  pool.on('connect', (client) => client.on('error', lost))
  return { db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }), pool }
}
