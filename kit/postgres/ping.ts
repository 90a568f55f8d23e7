import { createConnection } from 'node:net'
import { join } from 'node:path'

/**
 * Whether a server accepts connections, without logging in: sends the first message of a session and looks at the
 * answer, as pg_isready does. A request for a password is a yes; so is any refusal but "starting up" and the like (57P03).
 */
export function acceptsConnections(
  at: { socketDir: string; port: number },
  timeoutMs = 2000,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(
      at.socketDir.startsWith('/')
        ? { path: join(at.socketDir, `.s.PGSQL.${at.port}`) }
        : { host: at.socketDir, port: at.port },
    )
    const finish = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(timeoutMs, () => finish(false))
    socket.once('connect', () => socket.write(startupMessage()))
    socket.once('data', (bytes) => {
      const kind = String.fromCharCode(bytes[0] ?? 0)
      finish(kind === 'R' || (kind === 'E' && !bytes.includes('C57P03\0')))
    })
    socket.once('error', () => finish(false))
    socket.once('close', () => finish(false))
  })
}

/** Protocol 3.0: length, version, then name and value pairs, each ended by a zero byte. */
function startupMessage(): Buffer {
  const pairs = Buffer.from('user\0plinth_probe\0database\0postgres\0\0')
  const head = Buffer.alloc(8)
  head.writeInt32BE(8 + pairs.length, 0)
  head.writeInt32BE(3 << 16, 4)
  return Buffer.concat([head, pairs])
}
