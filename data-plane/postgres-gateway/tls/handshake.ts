import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Encryption } from './encryption.ts'

/** What a client of Postgres says that it speaks, where it says so. */
const protocol = 'postgresql'
const protocols = Buffer.from(`${String.fromCharCode(protocol.length)}${protocol}`, 'latin1')

/** A connection that is encrypted, and what the client has said while it became so. */
export type Encrypted = {
  socket: TLSSocket
  /** The name of the host that it wants to reach; undefined: it has said none. */
  host: string | undefined
  /** It has said that it speaks the protocol of Postgres. */
  saysProtocol: boolean
}

/**
 * Encrypts a connection, within `timeoutMs`; `first` is what the client has sent of its handshake. A client that does not get so far
 * is cut off, and the answer is undefined. Never rejects. The new socket is paused.
 */
export function encrypt(
  client: Socket,
  encryption: Pick<Encryption, 'context'>,
  first: Buffer,
  timeoutMs: number,
): Promise<Encrypted | undefined> {
  return new Promise((resolve) => {
    if (first.length > 0) client.unshift(first)
    const socket = new TLSSocket(client, {
      isServer: true,
      secureContext: encryption.context(),
      ALPNProtocols: protocols,
    })
    const timer = setTimeout(() => client.destroy(), timeoutMs)
    socket.on('error', () => client.destroy())
    // The two end together.
    client.once('close', () => socket.destroy())
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(undefined)
    })
    socket.once('secure', () => {
      clearTimeout(timer)
      socket.pause()
      // Set by Node once a server knows it; its types name the property for clients alone.
      const { servername } = socket as { servername?: string | false }
      resolve({
        socket,
        host: servername || undefined,
        saysProtocol: socket.alpnProtocol === protocol,
      })
    })
  })
}
