import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import type { As } from '#contract/impersonation'
import { splitScript } from '#contract/sql-script'
import type { Log } from '#kit/log'
import { ApiError } from '#kit/errors'
import type { Connections, Who } from '../connections.ts'
import { refuseImpersonation, takeRole } from '../access/impersonation.ts'
import { withReason } from '../restricted.ts'
import type { Explain } from './run-explain.ts'
import { createRunStream } from './run-stream.ts'
import { createTransactions, nameOf, type OpenTransaction } from './run-transactions.ts'
import { run } from './run.ts'
import { textScript } from './text-script.ts'
import { typeNames } from './type-names.ts'

/** Runs of one project and login at a time; each holds a session of its own. */
const mostRuns = 8

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

/**
 * Running SQL for people. A run's session carries the run's id in its application name, so that any data plane can
 * find and cancel it, not only the one it runs in.
 */
export function createRuns(connections: Connections, log: Log, idleMs?: number) {
  const running = new Map<string, number>()
  /** What runs in this process, to stop it before its next statement. */
  const here = new Map<string, Running>()
  const transactions = createTransactions(connections, idleMs)

  async function start(who: Who, input: RunInput): Promise<Readable> {
    const { explain, query, transaction } = input
    if (explain) {
      const [first, ...more] = splitScript(query)
      if (!first || more.length > 0)
        throw new ApiError('invalid_input', 'Only one statement can be explained at a time')
      if (first.meta) throw new ApiError('invalid_input', 'A command of psql has no plan')
    }
    const held = transaction && (await transactions.take(who, input, transaction))
    if (held) return begin(who, input, held.release, held)
    const slot = `${who.ref} ${who.login}`
    const count = running.get(slot) ?? 0
    if (count >= mostRuns) throw new ApiError('rate_limited', 'Too many queries are running', 5)
    running.set(slot, count + 1)
    const free = () => {
      const left = (running.get(slot) ?? 1) - 1
      if (left > 0) running.set(slot, left)
      else running.delete(slot)
    }
    try {
      return await begin({ ...who, application: nameOf(who.application, input.id) }, input, free)
    } catch (error) {
      free()
      throw error
    }
  }

  async function openAlone(who: Who, input: RunInput): Promise<Client> {
    if (input.as) refuseImpersonation(who)
    const client = await connections.open(who, {
      statement_timeout: input.timeout_ms,
      idle_in_transaction_session_timeout: 60_000,
    })
    if (input.as) await takeRoleOrEnd(client, input.as)
    return client
  }

  async function begin(
    who: Who,
    input: RunInput,
    free: () => void,
    held?: OpenTransaction,
  ): Promise<Readable> {
    const client = held?.client ?? (await openAlone(who, input))
    const cancelId = input.transaction?.id ?? input.id
    const state: Running = { stopped: undefined }
    const { stream, send, drained, end } = createRunStream(() => {
      state.stopped = 'gone'
      cancel(who, cancelId).catch((error: unknown) =>
        log.warn({ err: error }, 'a run was left and not cancelled'),
      )
    })
    const key = keyOf(who, cancelId)
    here.set(key, state)
    const finished = textScript(input, input.row_limit).then((script) =>
      run({
        ...script,
        client,
        explain: input.explain,
        oneTransaction: input.one_transaction ?? false,
        ...(held ? { reader: held.reader, goesOn: true } : {}),
        // The login alone does not hold them: a function with its definer's rights could write for them.
        readOnly: input.read_only || who.login === 'plinth_read_only',
        send: (event) =>
          send(
            who.restricted && event.type === 'error'
              ? { ...event, error: withReason(event.error) }
              : event,
          ),
        drained,
        stopped: () => state.stopped,
        typeNames: (ids) => typeNames(ids, (work) => connections.use(who, work)),
      }),
    )
    finished
      .catch((error: unknown) => {
        log.error({ err: error, project: who.ref }, 'a run broke off')
        stream.destroy()
      })
      .then(() => {
        here.delete(key)
        free()
        end()
        return held ? undefined : client.end()
      })
      .catch((error: unknown) => log.info({ err: error }, 'a session did not end in peace'))
    return stream
  }

  /**
   * Stops what the run does now, wherever it runs, and what it would have done next. Between two statements a session has
   * nothing to cancel, so one that runs here is asked again until it has ended.
   */
  async function cancel(who: Who, id: string) {
    const state = here.get(keyOf(who, id))
    if (state) state.stopped ??= 'cancelled'
    const stopOnce = async () => {
      const { rows } = await connections.useAtOnce({ ...who, application: 'plinth' }, (client) =>
        client.query<{ done: boolean }>(cancelSql, [`%${id}`]),
      )
      return rows.some(({ done }) => done)
    }
    const found = await stopOnce()
    for (let tries = 0; state && tries < mostTries; tries += 1) {
      await pause(betweenTriesMs)
      if (here.get(keyOf(who, id)) !== state) break
      await stopOnce()
    }
    return { cancelled: found || state !== undefined }
  }

  return { start, cancel, end: transactions.end, close: transactions.close }
}

type Running = { stopped: 'gone' | 'cancelled' | undefined }
const keyOf = ({ ref, login }: Who, id: string) => `${ref} ${login} ${id}`

/** A run that is asked to stop is looked after for so long. */
const mostTries = 20
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
