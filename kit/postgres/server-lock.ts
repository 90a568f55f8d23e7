import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { readForeign } from './files.ts'
import { findProcess, isTaken, killAllOf, processesOf } from './processes.ts'

export type RunningServer = { pid: number; socketDir: string; port: number; ready: boolean }

/** Reads postmaster.pid: pid, directory, start time, port, socket directory, address, memory key, status. */
export async function readLock(dataDir: string): Promise<RunningServer | undefined> {
  const text = (await readForeign(lockOf(dataDir))) ?? ''
  const [pid, , , port, socketDir, , , status] = text.split('\n')
  if (!Number(pid)) return undefined
  const ready = (status ?? '').trim() === 'ready'
  return { pid: Number(pid), port: Number(port), socketDir: socketDir ?? '', ready }
}

/** Makes way for a server where none runs. Postgres deals with most locks of a dead server by itself; these it refuses. */
export async function clearLocks(of: {
  dataDir: string
  socketDir: string
  port: number
}): Promise<void> {
  await clearDataLock(of.dataDir)
  await clearSocketLock(join(of.socketDir, `.s.PGSQL.${of.port}.lock`))
}

/**
 * After a crash of the server its children may live on and its lock file remains. The server cleans its shared memory
 * by that file, so it stays, unless its pid now belongs to another program or to one that has ended and nobody has reaped,
 * which Postgres takes for a live server, or its server was killed before it had written anything into it.
 */
async function clearDataLock(dataDir: string): Promise<void> {
  const lock = await readLock(dataDir)
  if (lock) {
    await killAllOf(dataDir)
    if (isTaken(lock.pid)) await unlink(lockOf(dataDir))
    return
  }
  const empty = (await readForeign(lockOf(dataDir))) !== undefined
  // A server that somebody else is starting this very moment keeps its lock.
  if (empty && (await processesOf(dataDir)).length === 0) await unlink(lockOf(dataDir))
}

/** The lock beside the socket: empty or of a foreign pid for the same reasons, and nothing hangs on what it says. */
async function clearSocketLock(file: string): Promise<void> {
  const text = await readForeign(file)
  if (text === undefined) return
  const owner = await findProcess(Number(text.split('\n')[0]))
  if (owner?.program !== 'postgres') await unlink(file)
}

const lockOf = (dataDir: string) => join(dataDir, 'postmaster.pid')
