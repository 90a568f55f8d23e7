import { sqlQuery, type RunEvent, type TransactionState } from '#contract/database/sql/sql-query'
import { sqlTools, transactionIdleMinutes } from '#contract/database/sql/sql-tools'
import { CallError } from '../../../../api/client.ts'
import { callLines } from '../../../../api/lines.ts'
import { callDatabase, connectionHeaders } from '../../../../session/project/database.ts'
import { asInput, type Impersonation } from '../../../../modules/roles/impersonation.ts'
import type { Picked } from '../editor/sql-box.ts'
import { type SqlFile, sendFile } from './sql-file.ts'
import { afterEvent, begun, type RunState } from './run-state.ts'

/** A run of a query's text, now or the last one. */
export type RunView = {
  id: string
  queryId: string
  sent: Picked
  options: RunOptions
  /** performance.now() */
  startedAt: number
  state: RunState
  /** The run was refused, or the connection broke: not what a statement failed of. */
  failure: Error | undefined
  cancel: 'no' | 'asked'
  /** Bytes of its file that were read. */
  sentBytes: number
}

/** Milliseconds between two looks at what arrives: more often nobody can see. */
const tick = 50
/** Milliseconds of reading after which typing and painting get their turn. */
const longestTask = 20
/** Results of this many queries are kept while others are looked at. */
const keptRuns = 12
/** After this long without an answer to Cancel the connection is cut, which ends the run as well. */
const cancelPatienceMs = 5000

/** The last run of every query of a project. A run goes on while its person looks at other pages. */
export function createRuns(ref: string) {
  const runs = new Map<string, RunView>()
  const watchers = new Set<() => void>()
  const aborts = new Map<string, AbortController>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function notify() {
    clearTimeout(timer)
    timer = undefined
    for (const watch of watchers) watch()
  }
  function show(run: RunView) {
    runs.set(run.queryId, run)
    timer ??= setTimeout(notify, tick)
  }
  const update = (run: RunView, change: Partial<RunView>) => {
    const now = runs.get(run.queryId)
    if (now?.id === run.id) show({ ...now, ...change })
  }

  /** The run as it ended. */
  async function follow(run: RunView, signal: AbortSignal): Promise<RunView> {
    let state = begun
    let breath = performance.now()
    let ending = run
    const { file } = run.options
    let sending: Promise<void> | undefined
    let unsent: unknown
    try {
      const headers = await connectionHeaders(ref)
      const [endpoint, input] = file
        ? [sqlQuery.runFile, fileInputOf(ref, run)]
        : [sqlQuery.run, inputOf(ref, run)]
      for await (const event of callLines<RunEvent>(endpoint, input, { headers, signal })) {
        state = afterEvent(state, event)
        update(run, { state })
        // With the first word of the answer, the run takes its file.
        if (file && !sending) {
          const onSent = (sentBytes: number) => update(run, { sentBytes })
          const readOnly = readsOnly(run)
          const to = { ref, id: run.id, readOnly, headers, signal, onSent }
          sending = sendFile(file.blob, to).catch((error: unknown) => {
            unsent = error
            aborts.get(run.id)?.abort()
          })
        }
        if (performance.now() - breath > longestTask) {
          await new Promise((done) => setTimeout(done))
          breath = performance.now()
        }
      }
      ending = { ...run, state }
      if (state.phase === 'running') throw new CallError('The connection was lost', { code: 0 })
    } catch (error) {
      const failure =
        unsent !== undefined
          ? asError(unsent)
          : signal.aborted
            ? new Error('The run was cancelled')
            : asError(error)
      ending = { ...run, failure, state: { ...state, phase: 'ended' } }
      update(run, { failure, state: ending.state })
    }
    aborts.delete(run.id)
    notify()
    return ending
  }

  return {
    of: (queryId: string) => runs.get(queryId),
    subscribe(watcher: () => void) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    start(queryId: string, sent: Picked, options: RunOptions): Promise<RunView> {
      const run: RunView = {
        id: crypto.randomUUID(),
        queryId,
        sent,
        options,
        startedAt: performance.now(),
        state: begun,
        failure: undefined,
        cancel: 'no',
        sentBytes: 0,
      }
      // The oldest results make room; what still runs stays.
      runs.delete(queryId)
      for (const [old, { state }] of runs)
        if (runs.size >= keptRuns && state.phase === 'ended') runs.delete(old)
      const abort = new AbortController()
      aborts.set(run.id, abort)
      show(run)
      notify()
      return follow(run, abort.signal)
    },
    async cancel(queryId: string): Promise<void> {
      const run = runs.get(queryId)
      const abort = run && aborts.get(run.id)
      if (!run || !abort) return
      update(run, { cancel: 'asked' })
      notify()
      const cut = setTimeout(() => abort.abort(), cancelPatienceMs)
      abort.signal.addEventListener('abort', () => clearTimeout(cut))
      try {
        const { cancelled } = await callDatabase(sqlQuery.cancel, {
          ref,
          id: run.options.transaction?.id ?? run.id,
          read_only: readsOnly(run),
          ...sourceOf(run),
        })
        // Not yet begun there: ending the request is the other way to stop it.
        if (!cancelled && aborts.has(run.id)) abort.abort()
      } catch {
        abort.abort()
      }
    },
    forget(queryId: string) {
      runs.delete(queryId)
      notify()
    },
  }
}
export type Runs = ReturnType<typeof createRuns>

/** What only reads has nothing to keep. */
const isOne = ({ oneTransaction, readOnly, explain, transaction }: RunOptions) =>
  oneTransaction && !readOnly && !explain && !transaction

/** Whether the run's login itself only reads: what belongs to the run is sent under the same one. */
const readsOnly = ({ options: { readOnly, as } }: RunView) => readOnly && !as

const sourceOf = ({ options: { replica } }: RunView) => (replica === undefined ? {} : { replica })

function fileInputOf(ref: string, run: RunView) {
  const { id, options } = run
  const { timeoutMs, readOnly, as } = options
  return {
    ref,
    id,
    timeout_ms: timeoutMs,
    read_only: readOnly,
    ...asInput(as),
    one_transaction: isOne(options),
    ...sourceOf(run),
  }
}

function inputOf(ref: string, run: RunView) {
  const { id, sent, options } = run
  const { limit, timeoutMs, readOnly, as, parameters, explain, transaction } = options
  return {
    ref,
    id,
    query: sent.sql,
    row_limit: limit,
    timeout_ms: timeoutMs,
    read_only: readOnly,
    parameters,
    ...asInput(as),
    one_transaction: isOne(options),
    ...sourceOf(run),
    ...(explain ? { explain } : {}),
    ...(transaction ? { transaction } : {}),
  }
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))

/** How a text runs, beside the text itself. */
export type RunOptions = {
  /** Rows that a lone SELECT is limited to; null for all. */
  limit: number | null
  timeoutMs: number
  readOnly: boolean
  as: Impersonation | undefined
  /** The read replica that it runs on; the primary unless told. */
  replica: string | undefined
  parameters: Readonly<Record<string, string | null>>
  explain: 'plan' | 'analyze' | undefined
  transaction: { id: string; begin: boolean } | undefined
  /** All of it is kept, or nothing. */
  oneTransaction: boolean
  /** What runs in place of the text. */
  file: SqlFile | undefined
}

/** Milliseconds that a statement may take, as they are offered. */
export const timeouts: readonly { value: number; label: string }[] = [
  { value: 10_000, label: '10 seconds' },
  { value: 60_000, label: '1 minute' },
  { value: 300_000, label: '5 minutes' },
  { value: 1_800_000, label: '30 minutes' },
  { value: 3_600_000, label: '1 hour' },
]
export const timeoutLabel = (ms: number) =>
  timeouts.find(({ value }) => value === ms)?.label ?? `${Math.round(ms / 1000)} seconds`

/** A transaction that a query's runs share. `gone`: it was rolled back, because nobody went on or the session broke. */
type Transaction = {
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
