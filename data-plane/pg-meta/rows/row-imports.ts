import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import type { Parsed } from '#contract/endpoint'
import type { ImportState, tableTransfer } from '#contract/table-transfer'
import { ApiError } from '#kit/errors'
import type { Log } from '#kit/log'
import type { Connections, Who } from '../connections.ts'
import { carryOutRecorded } from '../migrations/migrations.ts'
import { createImport } from './row-import.ts'

type Session = {
  who: Who
  db: Client
  rows: ReturnType<typeof createImport>
  skipBad: boolean
  next: number
  /** Pieces are taken one after another, whatever order they come in. */
  busy: boolean
  timer: NodeJS.Timeout
}

/** Imports of one project at a time; each holds a session and a transaction. */
const mostImports = 4
/** Milliseconds without a piece after which whoever sent them is gone. */
const silenceMs = 120_000
/** COPY waits for as long as the sender does; the silence above ends it. */
const patience = "set statement_timeout = '24h'"

/** Files on their way into tables. They live here and not in the database, so a restart ends them, with nothing kept. */
export function createImports(connections: Connections, log: Log) {
  const sessions = new Map<string, Session>()

  async function end(id: string, session: Session): Promise<void> {
    clearTimeout(session.timer)
    sessions.delete(id)
    session.rows.stop()
    await session.db
      .end()
      .catch((error: unknown) => log.info({ err: error }, 'an import ended badly'))
  }
  function watchSilence(id: string, session: Session): void {
    clearTimeout(session.timer)
    session.timer = setTimeout(() => {
      log.info({ project: session.who.ref, import: id }, 'an import was left')
      void end(id, session)
    }, silenceMs)
  }
  function find(who: Who, id: string): Session {
    const session = sessions.get(id)
    const own = session?.who.ref === who.ref && session.who.by === who.by
    if (!session || !own) throw new ApiError('not_found', 'This import is not running any more')
    return session
  }
  const stateOf = (id: string, { rows, next }: Session): ImportState => ({
    id,
    next,
    ...rows.state(),
  })

  async function start(who: Who, input: Parsed<typeof tableTransfer.start>): Promise<ImportState> {
    const running = [...sessions.values()].filter((session) => session.who.ref === who.ref)
    if (running.length >= mostImports)
      throw new ApiError('rate_limited', 'Too many imports are running', 10)
    const db = await connections.open(who)
    try {
      await db.query(patience)
      await db.query('begin')
      if (input.create) await carryOutRecorded(db, input.create, who.by)
      const rows = createImport(db, input)
      const id = randomUUID()
      const skipBad = input.on_bad_row === 'skip'
      const timer = setTimeout(() => undefined, 0)
      const session = { who, db, rows, skipBad, next: 0, busy: false, timer }
      sessions.set(id, session)
      watchSilence(id, session)
      return stateOf(id, session)
    } catch (error) {
      await db.end()
      throw error
    }
  }

  /** One call at a time for one import; a failure ends it. */
  async function using<T>(id: string, session: Session, work: () => Promise<T>): Promise<T> {
    if (session.busy) throw new ApiError('conflict', 'A piece of this import is still on its way')
    session.busy = true
    clearTimeout(session.timer)
    try {
      return await work()
    } catch (error) {
      await end(id, session)
      throw error
    } finally {
      session.busy = false
    }
  }

  async function piece(who: Who, { import: id, index, text }: Parsed<typeof tableTransfer.piece>) {
    const session = find(who, id)
    if (index > session.next) throw new ApiError('conflict', 'A piece before this one is missing')
    if (index === session.next) {
      await using(id, session, async () => {
        await session.rows.write(text)
        session.next += 1
      })
      watchSilence(id, session)
    }
    return stateOf(id, session)
  }

  async function finish(who: Who, id: string) {
    const session = find(who, id)
    return using(id, session, async () => {
      await session.rows.end()
      const state = stateOf(id, session)
      const kept = state.bad === 0 || session.skipBad
      await session.db.query(kept ? 'commit' : 'rollback')
      await end(id, session)
      return { ...state, kept }
    })
  }

  async function cancel(who: Who, id: string) {
    const session = sessions.get(id)
    if (!session || session.who.ref !== who.ref || session.who.by !== who.by)
      return { cancelled: false }
    await end(id, session)
    return { cancelled: true }
  }

  const close = () => Promise.all([...sessions].map(([id, session]) => end(id, session)))

  return { start, piece, finish, cancel, close }
}
