import { readFileSync } from 'node:fs'
import { findRunning } from '#kit/postgres/server'
import type { ServerLoad } from '../../provider.ts'
import type { Machine } from '../machine.ts'

/** Of the clock in which the kernel counts for programs, which is the same on every Linux. */
const ticksPerSecond = 100

/**
 * What the processes of a project's server use, by what the kernel tells of each: it needs no control groups, and no query.
 * Undefined where no server runs, or the machine does not tell.
 */
export async function serverLoad(
  { folders, registry }: Machine,
  ref: string,
): Promise<ServerLoad | undefined> {
  if (process.platform !== 'linux' || !registry.get(ref)?.ready) return undefined
  const server = await findRunning(folders.data(ref))
  return server && loadOfServer(server.pid)
}

/** `pid`: of the process that has started all others of the server. */
export function loadOfServer(pid: number): ServerLoad | undefined {
  const children = read(`/proc/${pid}/task/${pid}/children`)
  const parent = times(pid)
  if (children === undefined || !parent) return undefined
  const pids = children.split(' ').map(Number).filter(Boolean)
  // The parent knows what those that have ended took.
  let ticks = parent.own + parent.ofEnded
  let connections = 0
  let { own: memory, shared } = memoryOf(pid)
  // The parent of this, too: what those that have ended read and wrote is added to its own.
  let disk = bytesOf(pid)
  let start: string | undefined
  for (const child of pids) {
    ticks += times(child)?.own ?? 0
    const part = memoryOf(child)
    memory += part.own
    shared = Math.max(shared, part.shared)
    const moved = bytesOf(child)
    // One that has just ended is counted with its parent the next time.
    if (disk && moved)
      disk = { read: disk.read + moved.read, written: disk.written + moved.written }
    const title = read(`/proc/${child}/cmdline`) ?? ''
    if (isConnection(title)) connections += 1
    if (isCheckpointer(title)) start = startOf(child)
  }
  return {
    cpuSeconds: ticks / ticksPerSecond,
    memoryBytes: memory + shared,
    connections,
    ...(start !== undefined && { start }),
    ...(disk && { disk }),
  }
}

/** There is one as long as a server runs, and another one after a crash, which the process that starts them outlives. */
const isCheckpointer = (title: string): boolean => /^postgres: checkpointer[ \0]*$/.test(title)

/** Every backend has in its title where its client is: `postgres: anna shop 10.0.0.7(51234) idle`, or `[local]`. */
export const isConnection = (title: string): boolean =>
  /^postgres: .+ (?:\[local\]|[\d.:a-f]+\(\d+\))(?: |\0|$)/.test(title)

/** What the kernel says of a process, behind its name, which may have anything in it, brackets too. */
function statOf(pid: number): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Which process it is: numbers are given again, but not with the same moment. */
function startOf(pid: number): string | undefined {
  const ticks = statOf(pid)?.[19]
  return ticks === undefined ? undefined : `${pid}:${ticks}`
}

/** Undefined: it has ended, or the kernel does not count this. */
function bytesOf(pid: number): { read: number; written: number } | undefined {
  const io = read(`/proc/${pid}/io`)
  const [, from] = /^read_bytes: (\d+)$/m.exec(io ?? '') ?? []
  const [, to] = /^write_bytes: (\d+)$/m.exec(io ?? '') ?? []
  return from === undefined || to === undefined
    ? undefined
    : { read: Number(from), written: Number(to) }
}

/** In ticks. */
function times(pid: number): { own: number; ofEnded: number } | undefined {
  const fields = statOf(pid)
  if (fields === undefined) return undefined
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number)
  return { own: user + system, ofEnded: endedUser + endedSystem }
}

/** Bytes: what a process has for itself, and what it has touched of that which all of them share. */
function memoryOf(pid: number): { own: number; shared: number } {
  const status = read(`/proc/${pid}/status`) ?? ''
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) * 1024
  return { own: bytes('RssAnon'), shared: bytes('RssShmem') }
}

/** Undefined: it has ended, or cannot be seen. The kernel answers from memory: to wait for it would cost more. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (
      error instanceof Error &&
      'code' in error &&
      /^(?:ENOENT|ESRCH|EACCES|EPERM)$/.test(String(error.code))
    )
      return undefined
    throw error
  }
}
