import { constants } from 'node:fs'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { runsAsRoot } from './os-user.ts'

/** Of Linux: opens what stands there without its content, which a socket does not have. Node does not name it. */
const pathOnly = 0o10000000

/**
 * Gives `use` a path at which the socket can be connected to. Where the platform is root and the folder belongs to another user,
 * that user can put anything there: a link to a socket of somebody else, which root could enter, is not followed, nor is one of another owner.
 * @throws Error where no socket of the folder's owner stands there
 */
export async function withOwnSocket<T>(
  path: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  if (process.platform !== 'linux' || !runsAsRoot()) return use(path)
  let handle: FileHandle | undefined
  try {
    handle = await open(path, pathOnly | constants.O_NOFOLLOW)
    const [socket, folder] = [await handle.stat(), await stat(dirname(path))]
    if (!socket.isSocket() || socket.uid !== folder.uid)
      throw new Error(`${path} is no socket of the server`)
    return await use(`/proc/self/fd/${handle.fd}`)
  } finally {
    await handle?.close()
  }
}
