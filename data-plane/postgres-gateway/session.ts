import type { Socket } from 'node:net'
import { watchSignIn, type SignIn } from './sign-in.ts'

/** Two connections of which one gets what the other says. */
export type Session = {
  /** Bytes so far: `toClient` are those that have left this process. */
  bytes(): { toClient: number; fromClient: number }
  /** Breaks it off. */
  end(): void
}
type Events = {
  /** Left out: the client is in already. */
  onSignIn?(outcome: SignIn): void
  /** Once, when both connections have ended. */
  onEnd(): void
}

/** A client that does not read any more keeps its connection this long after the server has ended its own. */
const lingerMs = 10_000

/**
 * Passes bytes in both directions as they are. Who reads slowly slows the other side down: nothing is kept but what the two
 * sockets hold. A side that has said its last word may still listen.
 */
export function pass(client: Socket, server: Socket, { onSignIn, onEnd }: Events): Session {
  let signIn = onSignIn && watchSignIn()
  let linger: NodeJS.Timeout | undefined
  const open = new Set([client, server])

  function look(chunk: Buffer): void {
    const outcome = signIn?.(chunk)
    if (!outcome) return
    signIn = undefined
    onSignIn?.(outcome)
  }
  function lead(from: Socket, to: Socket): void {
    to.on('drain', () => from.resume())
    from.on('end', () => to.end())
  }
  client.on('data', (chunk) => {
    if (!server.write(chunk)) client.pause()
  })
  server.on('data', (chunk) => {
    if (signIn) look(chunk)
    if (!client.write(chunk)) server.pause()
  })
  lead(client, server)
  lead(server, client)

  function closed(socket: Socket): void {
    open.delete(socket)
    if (open.size > 0) return
    clearTimeout(linger)
    onEnd()
  }
  // An end that broke off is told by its closing, which always follows.
  for (const socket of open) socket.on('error', () => socket.destroy())
  client.once('close', () => {
    server.destroy()
    closed(client)
  })
  server.once('close', () => {
    closed(server)
    if (client.destroyed) return
    client.end(() => client.destroy())
    linger = setTimeout(() => client.destroy(), lingerMs)
  })
  client.resume()
  server.resume()

  return {
    bytes: () => ({
      toClient: client.bytesWritten - client.writableLength,
      fromClient: client.bytesRead,
    }),
    end() {
      client.destroy()
      server.destroy()
    },
  }
}
