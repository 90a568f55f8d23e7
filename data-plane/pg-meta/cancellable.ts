import type { ServerResponse } from 'node:http'
import type { PoolClient } from 'pg'
import type { Connections, Who } from './connections.ts'
import type { UseSession } from './routes.ts'

/** Runs `work` in a session, and stops in the database what it is doing when nobody waits for it any more. */
export const cancellable = <T>(
  connections: Connections,
  use: UseSession,
  who: Who,
  gone: AbortSignal,
  work: (db: PoolClient) => Promise<T>,
): Promise<T> =>
  use(who, async (db) => {
    const { rows } = await db.query<{ pid: number }>('select pg_backend_pid() as pid')
    let cancelling: Promise<unknown> | undefined
    const cancel = () => {
      cancelling ??= connections.useAtOnce(who, (other) =>
        other.query('select pg_cancel_backend($1)', [rows[0]?.pid]),
      )
      // Awaited below; what could not be cancelled ends by its own timeout.
      cancelling.catch(() => undefined)
    }
    if (gone.aborted) cancel()
    gone.addEventListener('abort', cancel, { once: true })
    try {
      return await work(db)
    } finally {
      gone.removeEventListener('abort', cancel)
      // The session must not go to somebody else while a cancel is on its way to it.
      await cancelling
    }
  })

/** Aborted when the caller leaves before it has its answer. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}
