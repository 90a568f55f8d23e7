import { chmod, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** A unix socket's path has at most 103 bytes on some systems. */
const longestPath = 103
const folderIn = (home: string) => join(home, 'local-admin')

/** Connections that came through the socket. They are known by themselves: nothing that a request says counts. */
const connections = new WeakSet<Socket>()

/** Whether a request came through the socket of `listenLocally`, so from who may enter its folder. */
export const isLocal = (request: FastifyRequest): boolean => connections.has(request.raw.socket)

/** Where the socket of a home is. Rejects with ENOENT or EACCES like any look at a file. */
export const localSocket = async (home: string): Promise<string> =>
  join(await realpath(folderIn(home)), 'socket')

/**
 * Lets `app` answer at a unix socket below `home` too, which only this user and root can enter: its folder is made with
 * that right before the socket is in it, and made anew at every start. Where the path would be too long, the folder is
 * elsewhere and a link leads to it. Returns how to end it.
 */
export async function listenLocally(
  app: FastifyInstance,
  home: string,
): Promise<() => Promise<void>> {
  await app.ready()
  const path = join(await newFolder(await realpath(home)), 'socket')
  const server = createServer((request, response) => app.routing(request, response))
  server.on('connection', (socket) => connections.add(socket))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => resolve())
  })
  await chmod(path, 0o600)
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeIdleConnections()
    })
}

async function newFolder(home: string): Promise<string> {
  const inside = folderIn(home)
  // What an earlier start left elsewhere; only this user can have written the link.
  const earlier = await realpath(inside).catch(() => inside)
  for (const left of [earlier, inside]) await rm(left, { recursive: true, force: true })
  if (Buffer.byteLength(join(inside, 'socket')) <= longestPath) {
    await mkdir(inside, { mode: 0o700 })
    return inside
  }
  const elsewhere = await mkdtemp(join(tmpdir(), 'plinth-admin-'))
  await symlink(elsewhere, inside)
  return elsewhere
}
