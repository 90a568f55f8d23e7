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

const reset: Statement = { text: 'reset all', values: [] }

/** What the database was known to be like when a connection was used last. */
const lastEpochs = new WeakMap<Client, number>()

/** Connections whose session has only the settings that it began with. */
const asBegun = new WeakSet<Client>()

/**
 * Runs a transaction on a connection of the pool and gives the connection back, without anything of this transaction.
 * Nobody waits for that; a connection that cannot be tidied up is not used again, and `warn` is told. It is done after the
 * commit and not as its last part, because what is put off until then may leave something behind too.
 *
 * A transaction is held for one that leaves nothing by what was known of the database, which may have changed a moment before: a trigger is there
 * that was not. Such traces end with the first transaction that comes with newer knowledge, so no connection keeps them.
 * Settings are reset before a transaction that asks for it, unless the one before it on this connection is known to have set none.
 */
export async function runOn(
  pool: Pool,
  client: Client,
  transaction: Transaction,
  warn: (error: unknown) => void,
): Promise<Row[][]> {
  const isNews = knowsMore(client, transaction)
  try {
    return await runReset(client, transaction, isNews)
  } finally {
    if (isNews || transaction.leavesTraces) void tidyUp(pool, client, warn)
    else pool.release(client)
  }
}

async function runReset(
  client: Client,
  transaction: Transaction,
  isNews: boolean,
): Promise<Row[][]> {
  const { resetsSettings = false, keepsSettings = false, statements, refuse } = transaction
  const isReset = asBegun.delete(client) && !isNews
  if (!resetsSettings || isReset) {
    const rows = await runTransaction(client, transaction)
    if (isReset && keepsSettings) asBegun.add(client)
    return rows
  }
  const rows = await runTransaction(client, {
    ...transaction,
    statements: [reset, ...statements],
    refuse: refuse && (([, ...own]) => refuse(own)),
  })
  // Only what was committed is reset.
  if (keepsSettings) asBegun.add(client)
  return rows.slice(1)
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
