import type { Client } from 'pg'
import type { Pool } from './pool.ts'
import { runTransaction, type Row, type Statement, type Transaction } from './transaction.ts'

/** Ends what outlives a transaction, so that the next user of the connection does not meet it. */
const forgetting: readonly Statement[] = [
  'select pg_advisory_unlock_all()',
  'discard temp',
  'close all',
  'unlisten *',
].map((text) => ({ text, values: [] }))

/** What the database was known to be like when a connection was used last. */
const lastEpochs = new WeakMap<Client, number>()

/**
 * Runs a transaction on a connection of the pool and gives the connection back, without anything of this transaction.
 * Nobody waits for that; a connection that cannot be tidied up is not used again, and `warn` is told. It is done after the
 * commit and not as its last part, because what is put off until then may leave something behind too.
 *
 * A transaction is held for one that leaves nothing by what was known of the database, which may have changed a moment before: a trigger is there
 * that was not. Such traces end with the first transaction that comes with newer knowledge, so no connection keeps them.
 */
export async function runOn(
  pool: Pool,
  client: Client,
  transaction: Transaction,
  warn: (error: unknown) => void,
): Promise<Row[][]> {
  try {
    return await runTransaction(client, transaction)
  } finally {
    if (knowsMore(client, transaction) || transaction.leavesTraces) void tidyUp(pool, client, warn)
    else pool.release(client)
  }
}

function knowsMore(client: Client, { epoch }: Transaction): boolean {
  if (epoch === undefined) return false
  const last = lastEpochs.get(client)
  lastEpochs.set(client, epoch)
  return last !== undefined && last !== epoch
}

async function tidyUp(pool: Pool, client: Client, warn: (error: unknown) => void): Promise<void> {
  try {
    await runTransaction(client, { statements: forgetting })
    pool.release(client)
  } catch (error) {
    warn(error)
    pool.discard(client)
  }
}
