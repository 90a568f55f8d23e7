import { randomBytes } from 'node:crypto'
import type { Client } from 'pg'

/** A copy of the server as a stream of tar, packed: it begins at once, with the WAL that it needs. */
const baseBackup =
  "BASE_BACKUP (LABEL 'plinth', CHECKPOINT 'fast', WAL true, MANIFEST 'no', COMPRESSION 'gzip', COMPRESSION_DETAIL 'level=1')"
/** The kind of a message that carries a part of the file. */
const data = 'd'.charCodeAt(0)

type CopySource = {
  on(event: 'copyData', hear: (message: { chunk: Buffer }) => void): void
  stream: { pause(): void; resume(): void; destroy(): void }
}

/**
 * Copies a running server through a connection of the replication protocol, which the caller opens and ends. What comes is
 * handed on in order; nothing more is read while `write` works on a part of it.
 */
export async function streamServer(
  client: Client,
  write: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  let failure: unknown
  let written = Promise.resolve()
  let waiting = 0
  // The types of pg leave out what replication needs.
  const { connection } = client as Client & { connection: CopySource }
  connection.on('copyData', ({ chunk }) => {
    if (chunk[0] !== data) return
    // A copy: pg reads the next messages into the same memory.
    const part = Buffer.from(chunk.subarray(1))
    waiting += 1
    connection.stream.pause()
    written = written.then(async () => {
      try {
        if (failure === undefined) await write(part)
      } catch (error) {
        failure = error
        connection.stream.destroy()
      }
      waiting -= 1
      if (waiting === 0) connection.stream.resume()
    })
  })
  // Its WAL stays until this connection ends, however much is written meanwhile.
  const slot = `"backup_${randomBytes(8).toString('hex')}"`
  await client.query(['CREATE_REPLICATION_SLOT', slot, 'TEMPORARY PHYSICAL RESERVE_WAL'].join(' '))
  try {
    await client.query(baseBackup)
  } catch (error) {
    throw failure ?? error
  }
  await written
  if (failure !== undefined) throw failure
}
