import type { TransactionState } from '#contract/database/sql/sql-query'
import { sqlTools, transactionIdleMinutes } from '#contract/database/sql/sql-tools'
import { CallError } from '../../../../api/client.ts'
import { callDatabase } from '../../../../session/project/database.ts'

/** A transaction that a query's runs share. `gone`: it was rolled back, because nobody went on or the session broke. */
export type Transaction = {
  id: string
  state: Exclude<TransactionState, 'none'> | 'gone'
  /** When it is rolled back unless something runs in it, in milliseconds since 1970. */
  until: number
}

const idleMs = transactionIdleMinutes * 60_000

/** The open transactions of a project's queries, one each. */
export function createTransactions(ref: string) {
  const open = new Map<string, Transaction>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const watchers = new Set<() => void>()

  function set(queryId: string, transaction: Transaction | undefined) {
    clearTimeout(timers.get(queryId))
    if (transaction) open.set(queryId, transaction)
    else open.delete(queryId)
    if (transaction && transaction.state !== 'gone')
      timers.set(
        queryId,
        setTimeout(
          () => set(queryId, { ...transaction, state: 'gone' }),
          Math.max(0, transaction.until - Date.now()),
        ),
      )
    for (const watch of watchers) watch()
  }
  const isOpen = (queryId: string) => {
    const known = open.get(queryId)
    return known && known.state !== 'gone' ? known : undefined
  }

  return {
    of: (queryId: string) => open.get(queryId),
    subscribe(watcher: () => void) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    /** What the next run of a query is sent with: the open transaction, or a new one when it is wanted. */
    next(queryId: string, requested: boolean): { id: string; begin: boolean } | undefined {
      const known = isOpen(queryId)
      if (known) {
        // A statement that runs is no rest.
        clearTimeout(timers.get(queryId))
        return { id: known.id, begin: false }
      }
      return requested ? { id: crypto.randomUUID(), begin: true } : undefined
    },
    /** Nothing ran in it after all: its time goes on. */
    rest(queryId: string) {
      const known = isOpen(queryId)
      if (known) set(queryId, known)
    },
    /** What a run left of its transaction; undefined when the run broke off before it could say. */
    after(queryId: string, id: string, state: TransactionState | undefined) {
      if (state === 'none') set(queryId, undefined)
      else if (state) set(queryId, { id, state, until: Date.now() + idleMs })
      else if (open.get(queryId)?.id === id) set(queryId, { id, state: 'gone', until: Date.now() })
    },
    /** Commits or rolls back. False: it was rolled back, though it was to be committed. Throws a CallError. */
    async end(queryId: string, how: 'commit' | 'rollback'): Promise<boolean> {
      const known = isOpen(queryId)
      if (!known) return false
      try {
        const { committed } = await callDatabase(sqlTools.endTransaction, {
          ref,
          id: known.id,
          how,
        })
        set(queryId, undefined)
        return committed
      } catch (error) {
        const refused = error instanceof CallError && error.reason
        if (refused === 'transaction_gone') set(queryId, { ...known, state: 'gone' })
        // A constraint refused the commit, which ended it.
        else if (error instanceof CallError && error.code === 400) set(queryId, undefined)
        throw error
      }
    },
    dismiss: (queryId: string) => set(queryId, undefined),
  }
}
export type Transactions = ReturnType<typeof createTransactions>
