import { createConnection } from 'node:net'
import type { Client } from 'pg'

/** First word of a CancelRequest (protocol documentation §53.7). */
const cancelCode = 80_877_102

/**
 * Cuts a connection off and asks the server to stop what runs on it: a server does not notice by itself that nobody
 * waits for a statement any more. A server that cannot be asked has other reasons to stop.
 */
export function cutOff(client: Client): void {
  // The driver keeps them as plain fields that its typings do not show.
  const { processID, secretKey } = client as unknown as { processID: unknown; secretKey: unknown }
  if (typeof processID === 'number' && typeof secretKey === 'number') {
    const { host, port } = client
    const socket = host.startsWith('/')
      ? createConnection(`${host}/.s.PGSQL.${port}`)
      : createConnection(port, host)
    const message = Buffer.alloc(16)
    message.writeInt32BE(16, 0)
    message.writeInt32BE(cancelCode, 4)
    message.writeInt32BE(processID, 8)
    message.writeInt32BE(secretKey, 12)
    socket.on('error', () => socket.destroy())
    socket.setTimeout(2000, () => socket.destroy())
    socket.end(message)
  }
  client.connection.stream.destroy()
}
