import { PassThrough, type Readable } from 'node:stream'
import type { ClientConfig } from 'pg'
import { ApiError } from '#kit/errors'
import type { Log } from '#kit/log'
import { Client } from '#kit/postgres/client'
import { listenForChanges } from './store.ts'

/** Seconds between two empty lines; a reader that misses two knows that the line is dead. */
const heartbeatSeconds = 5

/**
 * Hears every change of a project from the platform database, whichever control plane made it, and tells the data
 * planes that listen. When the database connection is lost the streams end: readers come back and know nothing is sure.
 */
export function createChanges(database: ClientConfig, log: Log) {
  const readers = new Set<PassThrough>()
  let client: Client | undefined
  let retry: NodeJS.Timeout | undefined
  let closed = false

  const dropReaders = () => {
    for (const reader of readers) reader.end()
    readers.clear()
  }

  async function connect(): Promise<void> {
    const next = new Client({ ...database, application_name: 'plinth changes' })
    next.on('error', (error) => log.warn({ err: error }, 'change channel lost'))
    next.on('end', () => {
      client = undefined
      dropReaders()
      if (!closed) retry = setTimeout(() => void reconnect(), 1000)
    })
    await next.connect()
    await listenForChanges(next, (ref) => {
      for (const reader of readers) reader.write(`${JSON.stringify({ ref })}\n`)
    })
    client = next
  }
  async function reconnect(): Promise<void> {
    try {
      await connect()
    } catch (error) {
      // The 'end' of the failed client has planned the next attempt.
      log.warn({ err: error }, 'change channel cannot be opened')
    }
  }

  const heartbeat = setInterval(() => {
    for (const reader of readers) reader.write('\n')
  }, heartbeatSeconds * 1000)

  return {
    open: connect,

    /** @throws ApiError service_unavailable while nothing can be heard: who reads an empty stream would think otherwise. */
    stream(): Readable {
      if (!client) throw new ApiError('service_unavailable')
      const reader = new PassThrough()
      readers.add(reader)
      reader.once('close', () => readers.delete(reader))
      reader.write('\n')
      return reader
    },

    async close(): Promise<void> {
      closed = true
      clearInterval(heartbeat)
      clearTimeout(retry)
      dropReaders()
      await client?.end()
    },
  }
}
export type Changes = ReturnType<typeof createChanges>
