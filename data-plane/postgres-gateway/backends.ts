import { createConnection, type Socket } from 'node:net'
import { withOwnSocket } from '#kit/postgres/own-socket'
import type { Startup } from './startup.ts'

/**
 * Where clients get a connection to the server from. Here each gets one of its own and speaks to the server itself, from its first
 * packet on; a pooler, which lends them out, would take this place.
 */
export type Backends = {
  /** `first` is what the client has sent so far, and goes to the server as it is. Rejects where no server listens. */
  open(startup: Startup, first: Buffer): Promise<Socket>
  /** Hands over a request to cancel a query; the server decides by the key in it. Never rejects. */
  cancel(request: Buffer): Promise<void>
}

const cancelMs = 10_000

export function directBackends(socketPath: () => string): Backends {
  const connect = (first: Buffer) =>
    // What clients send is theirs to choose: it goes to the server of the project and to nothing else.
    withOwnSocket(
      socketPath(),
      (path) =>
        new Promise<Socket>((resolve, reject) => {
          const socket = createConnection({ path, allowHalfOpen: true })
          socket.once('error', reject)
          socket.once('connect', () => {
            socket.off('error', reject)
            socket.write(first)
            resolve(socket)
          })
        }),
    )
  return {
    open: (_startup, first) => connect(first),
    async cancel(request) {
      // Without a server there is nothing to cancel, and this protocol has no answer to say so.
      const socket = await connect(request).catch(() => undefined)
      if (!socket) return
      socket.resume()
      socket.setTimeout(cancelMs, () => socket.destroy())
      socket.on('error', () => socket.destroy())
      socket.once('end', () => socket.destroy())
      await new Promise((resolve) => socket.once('close', resolve))
    },
  }
}
