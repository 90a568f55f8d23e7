import { createServer, type Socket } from 'node:net'
import { plainAddress } from './networks.ts'
import { readOpening, type Begun } from './opening.ts'
import type { Encryption } from './tls/encryption.ts'

export type FrontDoorOptions = {
  /** Clients that have not shown enough of themselves yet; where more come, the one that has waited longest is cut off. */
  mostUnproven: number
  /** Milliseconds that a client has for its first packet. */
  openingMs?: number | undefined
  /** Without it no connection is encrypted. */
  encryption?: Pick<Encryption, 'context'> | undefined
  /** Takes over a client that has begun to speak; `proven` is called once it is not to be cut off any more. Never rejects. */
  meet: (begun: Begun, address: string, proven: () => void) => Promise<void>
}

const keepAliveMs = 60_000

/** Takes connections at a port, hears their first packet, and hands them on. */
export function createFrontDoor({ mostUnproven, meet, ...options }: FrontDoorOptions) {
  const { openingMs = 10_000, encryption } = options
  const unproven = new Set<Socket>()

  async function take(socket: Socket): Promise<void> {
    // Whatever breaks a connection off closes it, and that is what is listened to.
    socket.on('error', () => socket.destroy())
    const address = plainAddress(socket.remoteAddress)
    const [oldest] = unproven
    if (unproven.size >= mostUnproven) oldest?.destroy()
    unproven.add(socket)
    const proven = () => void unproven.delete(socket)
    socket.once('close', proven)
    await meet(await readOpening(socket, openingMs, encryption), address, proven)
  }

  const server = createServer({
    allowHalfOpen: true,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveMs,
  })
  server.on('connection', (socket) => void take(socket))

  return {
    /** Rejects with the error of the system where that is not possible. Answers with the port. */
    listen: (host: string, port: number) =>
      new Promise<number>((resolve, reject) => {
        server.once('error', reject)
        server.listen({ host, port }, () => {
          server.off('error', reject)
          // A connection that could not be taken, for want of file descriptors perhaps, is the client's to try again.
          server.on('error', () => undefined)
          const at = server.address()
          resolve(at !== null && typeof at === 'object' ? at.port : port)
        })
      }),
    /** Takes no more connections; those that have been let in go on. */
    close(): void {
      server.close()
      for (const socket of unproven) socket.destroy()
    },
  }
}
