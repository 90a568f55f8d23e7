import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import type { As } from '#contract/data-api/impersonation'
import type { RunEvent } from '#contract/database/sql/sql-query'
import { splitScript } from '#contract/database/sql/sql-script'
import type { Log } from '#kit/log'
import { ApiError } from '#kit/errors'
import type { Connections, Who } from '../connections.ts'
import { refuseImpersonation, takeRole } from '../access/impersonation.ts'
import { withReason } from '../restricted.ts'
import { createFileEvents } from './file-events.ts'
import { fileScript } from './file-script.ts'
import { createGoing, stop, type Going } from './going.ts'
import { createPieceQueue, type PieceQueue } from './piece-queue.ts'
import type { Explain } from './run-explain.ts'
import { createRunStream } from './run-stream.ts'
import { createTransactions, nameOf } from './run-transactions.ts'
import { run } from './run.ts'
import type { Run, Script } from './run-session.ts'
import { textScript } from './text-script.ts'
import { typeNames } from './type-names.ts'

/** Runs of one project and login at a time; each holds a session of its own. */
const maxRuns = 8

export type RunInput = {
  ref: string
  id: string
  query: string
  row_limit: number | null
  timeout_ms: number
  read_only: boolean
  as?: As | undefined
  parameters: Readonly<Record<string, string | null>>
  explain?: Explain | undefined
  transaction?: { id: string; begin: boolean } | undefined
  one_transaction?: boolean
}
export type FileInput = Pick<RunInput, 'id' | 'timeout_ms' | 'read_only' | 'as' | 'one_transaction'>
type Piece = { run: string; offset: number; text: string; last: boolean }

/**
 * Running SQL for people. A run's session carries the run's id in its application name, so that any data plane can
 * find and cancel it, not only the one it runs in.
 */
export function createRuns(connections: Connections, log: Log, idleMs?: number) {
  const running = new Map<string, number>()
  const going = createGoing()
  /** Files that come in pieces, to this process alone. */
  const files = new Map<string, PieceQueue>()
  const transactions = createTransactions(connections, idleMs)

  async function start(who: Who, input: RunInput): Promise<Readable> {
    const { explain, query, transaction } = input
    if (explain) {
      const [first, ...more] = splitScript(query)
      if (!first || more.length > 0)
        throw new ApiError('invalid_input', 'Only one statement can be explained at a time')
      if (first.meta) throw new ApiError('invalid_input', 'psql commands cannot be explained')
    }
    const script = await textScript(input, input.row_limit)
    const how = { explain, readOnly: input.read_only, oneTransaction: input.one_transaction }
    if (!transaction)
      return startAlone(who, input, (client, state) =>
        begin(who, { id: input.id, state, script, client, how }),
      )
    const { id } = transaction
    const { state, over } = going.add(keyOf(who, id))
    try {
      const { client, reader, release } = await transactions.take(who, input, transaction)
      const goesOn = { ...how, reader, goesOn: true }
      const begun = begin(who, { id, state, script, client, how: goesOn })
      void begun.over.then(release).then(over)
      return begun.stream
    } catch (error) {
      over()
      throw error
    }
  }

  /** A file that comes by `piece`. */
  function startFile(who: Who, input: FileInput): Promise<Readable> {
    const queue = createPieceQueue()
    return startAlone(who, input, (client, state) => {
      const how = {
        readOnly: input.read_only,
        oneTransaction: input.one_transaction,
        wrap: createFileEvents,
      }
      const script = fileScript(queue)
      const onStop = queue.close
      const begun = begin(who, { id: input.id, state, script, client, how, onStop })
      const key = fileKeyOf(who, input.id)
      files.set(key, queue)
      void begun.over.then(() => {
        files.delete(key)
        queue.close()
      })
      return begun
    })
  }

  async function piece(who: Who, { run: id, offset, text, last }: Piece) {
    const queue = files.get(fileKeyOf(who, id))
    if (!queue) return { accepted: false, ended: true }
    const accepted = await queue.put(offset, text, last)
    return { accepted, ended: queue.isClosed() }
  }

  /** Runs in a session of its own, which ends with it. */
  async function startAlone(
    who: Who,
    { id, timeout_ms, as }: Pick<RunInput, 'id' | 'timeout_ms' | 'as'>,
    start: (client: Client, state: Going) => Begun,
  ): Promise<Readable> {
    const free = takeSlot(who)
    const { state, over: forget } = going.add(keyOf(who, id))
    try {
      if (as) refuseImpersonation(who)
      const client = await connections.open(
        { ...who, application: nameOf(who.application, id) },
        { statement_timeout: timeout_ms, idle_in_transaction_session_timeout: 60_000 },
      )
      if (as) await takeRoleOrEnd(client, as)
      const { stream, over } = start(client, state)
      over
        .then(() => {
          free()
          forget()
          return client.end()
        })
        .catch((error: unknown) => log.info({ err: error }, 'a session did not end in peace'))
      return stream
    } catch (error) {
      free()
      forget()
      throw error
    }
  }

  function takeSlot(who: Who): () => void {
    const slot = `${who.ref} ${who.login}`
    const count = running.get(slot) ?? 0
    if (count >= maxRuns) throw new ApiError('rate_limited', 'Too many queries are running', 5)
    running.set(slot, count + 1)
    return () => {
      const left = (running.get(slot) ?? 1) - 1
      if (left > 0) running.set(slot, left)
      else running.delete(slot)
    }
  }

  /** `over` never fails: what goes wrong is in the log, and the stream breaks off. */
  function begin(who: Who, { id, state, script, client, how, onStop }: Beginning): Begun {
    const { wrap, ...options } = how
    Object.assign(state, { onStop, hasBegun: true })
    // It was cancelled while its session was opened.
    if (state.stopped) onStop?.()
    const { stream, send, drained, end } = createRunStream(() => {
      stop(state, 'gone')
      cancel(who, id).catch((error: unknown) =>
        log.warn({ err: error }, 'a run was left and not cancelled'),
      )
    })
    const sendWithReason = (event: RunEvent) =>
      send(
        who.restriction && event.type === 'error'
          ? { ...event, error: withReason(event.error, who.restriction) }
          : event,
      )
    const over = run({
      ...script,
      ...options,
      client,
      // The login alone does not hold them: a function with its definer's rights could write for them.
      readOnly: how.readOnly === true || who.login === 'plinth_read_only',
      send: wrap ? wrap(sendWithReason) : sendWithReason,
      drained,
      stopped: () => state.stopped,
      typeNames: (ids) => typeNames(ids, (work) => connections.use(who, work)),
    })
      .catch((error: unknown) => {
        log.error({ err: error, project: who.ref }, 'a run broke off')
        stream.destroy()
      })
      .then(end)
    return { stream, over }
  }

  /**
   * Stops what the run does now, wherever it runs, and what it would have done next. Between two statements a session has
   * nothing to cancel, so it is asked again: one that runs here until it has ended, any other until it does nothing.
   */
  async function cancel(who: Who, id: string) {
    const states = going.of(keyOf(who, id))
    for (const state of states) stop(state, 'cancelled')
    const stopOnce = async () => {
      const { rows } = await connections.useAtOnce({ ...who, application: 'plinth' }, (client) =>
        client.query<{ done: boolean }>(cancelSql, [`%${id}`]),
      )
      return rows.some(({ done }) => done)
    }
    // What opens its session yet is not disturbed: it refuses its first statement.
    const isHere = states.length > 0
    const ask = async () => (!isHere || states.some(going.isRunning) ? stopOnce() : false)
    const found = await ask()
    for (let tries = 0, goesOn = found || isHere; goesOn && tries < maxTries; tries += 1) {
      await pause(betweenTriesMs)
      if (isHere && !states.some(going.has)) break
      goesOn = (await ask()) || isHere
    }
    return { cancelled: found || isHere }
  }

  return { start, startFile, piece, cancel, end: transactions.end, close: transactions.close }
}

type Begun = { stream: Readable; over: Promise<void> }
type Beginning = {
  id: string
  state: Going
  script: Script
  client: Client
  how: Partial<Pick<Run, 'explain' | 'readOnly' | 'oneTransaction' | 'reader' | 'goesOn'>> & {
    wrap?: typeof createFileEvents
  }
  onStop?: () => void
}

/** Only who has announced a file sends it. */
const fileKeyOf = (who: Who, id: string) => `${keyOf(who, id)} ${who.by ?? ''}`
const keyOf = ({ ref, login }: Who, id: string) => `${ref} ${login} ${id}`

/** A run that is asked to stop is looked after for so long. */
const maxTries = 20
const betweenTriesMs = 50

/** The session is the run's own and ends with it, and so does what is set in it. */
async function takeRoleOrEnd(client: Client, as: As): Promise<void> {
  try {
    await takeRole(client, as, 'session')
  } catch (error) {
    await client.end()
    throw error
  }
}

const cancelSql = `
  select pg_cancel_backend(pid) as done from pg_stat_activity
  where application_name like $1 and usename = session_user and state = 'active' and pid <> pg_backend_pid()
`
