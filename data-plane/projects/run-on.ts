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

/**
 * Runs a transaction on a connection of the pool and gives the connection back, without anything of this transaction.
 * Nobody waits for that; a connection that cannot be tidied up is not used again, and `warn` is told. It is done after the
 * commit and not as its last part, because what is put off until then may leave something behind too.
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
    if (transaction.leavesTraces) void tidyUp(pool, client, warn)
    else pool.release(client)
  }
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
