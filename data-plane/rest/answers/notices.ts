import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { quoteIdent } from '#contract/ddl/sql-text'
import type { Log } from '#kit/log'
import { catalogRole, type Database } from '../database.ts'

export type Notices = {
  /** Resolves when listening has begun; rejects when the database cannot be reached now. */
  ready(): Promise<void>
  /** Resolves when every notice sent before this call has been heard, or when the connection is away. */
  flush(): Promise<void>
}

const retryMs = { first: 100, max: 5000 }

/**
 * Hears `NOTIFY pgrst` of one project on a connection of its own; event triggers send it after every DDL. After a lost
 * connection it counts as heard, since anything may have happened meanwhile. `channel` is another name for the notice; null:
 * nothing is listened to.
 */
export function createNotices(
  database: Database,
  log: Log,
  onNotice: () => void,
  channel: string | null = 'pgrst',
): Notices {
  if (channel === null) return { ready: () => Promise.resolve(), flush: () => Promise.resolve() }
  const listen = ['listen', quoteIdent(channel)].join(' ')
  let client: Client | undefined
  let starting: Promise<void> | undefined
  let flushing: Promise<void> = Promise.resolve()
  let nextFlush: Promise<void> | undefined

  async function start(): Promise<void> {
    const fresh = await database.dedicated(catalogRole)
    fresh.on('notification', onNotice)
    fresh.once('end', () => {
      if (client !== fresh) return
      client = undefined
      void restart()
    })
    await fresh.query(listen)
    client = fresh
  }

  async function restart(): Promise<void> {
    let wait = retryMs.first
    while (!database.closed) {
      try {
        await start()
        onNotice()
        return
      } catch (error) {
        if (database.closed) return
        log.warn({ err: error }, 'Listening for schema changes of a project failed')
        await delay(wait, undefined, { ref: false })
        wait = Math.min(wait * 2, retryMs.max)
      }
    }
  }

  return {
    ready() {
      if (client) return Promise.resolve()
      starting ??= start().finally(() => (starting = undefined))
      return starting
    },
    flush() {
      // One question at a time, and one more that all who come meanwhile share: theirs has to be asked after they came.
      nextFlush ??= flushing.then(() => {
        nextFlush = undefined
        flushing = client ? ask(client, log) : Promise.resolve()
        return flushing
      })
      return nextFlush
    },
  }
}

/** The server sends what is pending before it says that it is ready again, so an empty question is enough. */
async function ask(client: Client, log: Log): Promise<void> {
  try {
    await client.query('select')
  } catch (error) {
    log.debug({ err: error }, 'The connection for schema changes broke')
  }
}
