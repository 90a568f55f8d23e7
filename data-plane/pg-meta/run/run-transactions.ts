import type { Client } from 'pg'
import type { As } from '#contract/data-api/impersonation'
import { transactionIdleMinutes } from '#contract/database/sql/sql-tools'
import { ApiError } from '#kit/errors'
import type { Connections, Who } from '../connections.ts'
import { refuseImpersonation, takeRole } from '../access/impersonation.ts'
import { createResultReader, type ResultReader } from './result-reader.ts'
import { isDatabaseError } from './result-sink.ts'
import { FailedSql } from '../sql-errors.ts'

/** Transactions of one project and login that may be open at a time; each holds a session, and maybe locks. */
const maxOpen = 4

type Held = {
  client: Client
  reader: ResultReader
  isBusy: boolean
  /** The role and claims it was begun with, as JSON. */
  as: string
}
export type OpenTransaction = Pick<Held, 'client' | 'reader'> & {
  /** The run is over: the transaction stays open, or the session ends when the text has ended it. */
  release: () => void
}
type Asked = { id: string; begin: boolean }
type Settings = { timeout_ms: number; read_only: boolean; as?: As | undefined }

/**
 * Transactions that people hold open between runs. Each lives in the process that began it, as its session does; one
 * that nobody touches for minutes is ended by Postgres itself, which also holds when this process is gone.
 */
export function createTransactions(
  connections: Connections,
  idleMs = transactionIdleMinutes * 60_000,
) {
  const open = new Map<string, Held>()
  /** Only who began it finds it again. */
  const keyOf = ({ ref, login, by }: Who, id: string) => JSON.stringify([ref, login, by, id])

  function find(who: Who, id: string): Held {
    const held = open.get(keyOf(who, id))
    if (!held) throw new ApiError('transaction_gone')
    if (held.isBusy) throw new ApiError('transaction_busy')
    return held
  }

  async function begin(who: Who, id: string, { timeout_ms, as }: Settings): Promise<Held> {
    const key = keyOf(who, id)
    if (open.has(key)) throw new ApiError('conflict')
    const beginning = JSON.stringify([who.ref, who.login])
    const count = [...open.keys()].filter((one) => one.startsWith(beginning.slice(0, -1))).length
    if (count >= maxOpen) throw new ApiError('rate_limited', 'Too many transactions are open', 5)
    if (as) refuseImpersonation(who)
    const client = await connections.open(
      { ...who, application: nameOf(who.application, id) },
      { statement_timeout: timeout_ms, idle_in_transaction_session_timeout: idleMs },
    )
    client.once('end', () => open.delete(key))
    try {
      if (as) await takeRole(client, as, 'session')
      await client.query('begin')
    } catch (error) {
      await client.end()
      throw error
    }
    const held = { client, reader: createResultReader(client), isBusy: false, as: nameOfRole(as) }
    open.set(key, held)
    return held
  }

  return {
    async take(who: Who, settings: Settings, asked: Asked): Promise<OpenTransaction> {
      if (settings.read_only || who.login === 'plinth_read_only')
        throw new ApiError('invalid_input', 'A read-only run has nothing to commit')
      const held = asked.begin ? await begin(who, asked.id, settings) : find(who, asked.id)
      if (held.as !== nameOfRole(settings.as))
        throw new ApiError(
          'invalid_input',
          'This transaction was started as another role. End it first',
        )
      held.isBusy = true
      const release = () => {
        held.isBusy = false
        // The text itself has committed or rolled back.
        if (held.client.getTransactionStatus() === 'I') void endSession(held.client)
      }
      return { client: held.client, reader: held.reader, release }
    },

    /** @throws ApiError transaction_gone, FailedSql when a deferred constraint refuses the commit */
    async end(who: Who, { id, how }: { id: string; how: 'commit' | 'rollback' }) {
      const { client } = find(who, id)
      open.delete(keyOf(who, id))
      try {
        const { command } = await client.query(how)
        return { committed: command === 'COMMIT' }
      } catch (error) {
        throw isDatabaseError(error) ? new FailedSql(error) : error
      } finally {
        await endSession(client)
      }
    },

    close: () => Promise.all([...open.values()].map(({ client }) => endSession(client))),
  }
}

const nameOfRole = (as: As | undefined) => JSON.stringify(as ?? null)

/** One that is broken has ended already. */
const endSession = (client: Client) => client.end().catch(() => undefined)

/** What a run's session is called, so that any data plane finds it to cancel it: 63 bytes at most, and the id has to survive. */
export const nameOf = (application: string, id: string) => `${application.slice(0, 26)} ${id}`
