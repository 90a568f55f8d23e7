import { createConnection, createServer, type Socket } from 'node:net'
import type { ProjectConnection } from '#contract/internal'
import type { Log } from '#kit/log'

/** Something that a worker may connect to. */
export type Door = { close(): void }

type Address = Pick<ProjectConnection['database'], 'host' | 'port'>

/**
 * Listens at a path for who speaks to one project's database: every connection leads to the database's own server, which
 * asks for a name and a password as it does of everybody. Where the server is, is asked anew each time: it may have moved.
 */
export function openDatabaseDoor(
  addressOf: () => Promise<Address | undefined>,
  path: string,
  log: Log,
): Promise<Door> {
  const open = new Set<Socket>()
  async function lead(from: Socket): Promise<void> {
    const address = await addressOf()
    if (!address || from.destroyed) return void from.destroy()
    const to = createConnection(placeOf(address))
    const both = () => {
      from.destroy()
      to.destroy()
    }
    for (const socket of [from, to]) socket.once('error', both).once('close', both)
    from.pipe(to).pipe(from)
  }
  const server = createServer((socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    // A worker that is ended leaves in the middle of something.
    socket.on('error', () => socket.destroy())
    lead(socket).catch((error: unknown) => {
      log.info({ err: error }, 'the database of a function could not be looked up')
      socket.destroy()
    })
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () =>
      resolve({
        close() {
          server.close()
          for (const socket of open) socket.destroy()
        },
      }),
    )
  })
}

/** A folder names the socket that the server has there. */
const placeOf = ({ host, port }: Address) =>
  host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
