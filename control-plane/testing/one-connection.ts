import { AsyncLocalStorage } from 'node:async_hooks'
import { TransactionBuilder } from 'kysely'
import type { Pool } from 'pg'
import { holds } from '../platform-database/holding.ts'

/** The transaction in which something runs, as long as it is open. */
const transactions = new AsyncLocalStorage<{ isOpen: boolean }>()

const execute = Object.getOwnPropertyDescriptor(TransactionBuilder.prototype, 'execute')
  ?.value as TransactionBuilder<unknown>['execute']

TransactionBuilder.prototype.execute = function (run) {
  if (holds.getStore()) return execute.call(this, run) as ReturnType<typeof execute<never>>
  const transaction = { isOpen: true }
  return execute
    .call(this, (tx) => transactions.run(transaction, () => run(tx)))
    .finally(() => (transaction.isOpen = false)) as ReturnType<typeof execute<never>>
}

/**
 * Refuses another connection of the pool to what runs in a transaction: with as many at once as the pool has connections, each
 * would hold one and wait for another, and everybody else with them.
 */
export function refuseSecondConnections(pool: Pool): void {
  const connect = pool.connect.bind(pool)
  const guarded = (...given: Parameters<typeof connect>) => {
    if (transactions.getStore()?.isOpen)
      throw new Error(
        'What runs in a transaction asks the pool for another connection: give `tx` along',
      )
    return connect(...given)
  }
  pool.connect = guarded as typeof pool.connect
}

/** For what a test does meanwhile, in the place of somebody else. */
export const besideTransactions = <T>(run: () => T): T => transactions.exit(run)
