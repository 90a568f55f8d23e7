import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { OsUser } from './os-user.ts'
import { signal, waitUntil } from './processes.ts'

/** Below it are the users that a machine itself has, whose processes nobody here may end. */
const firstWithoutName = 65_536

/**
 * Ends every process of a user at once and for good, wherever it went: in a session of its own, below another parent, or with
 * a program of another user (any of its four ids counts). Only on Linux and as root, and only for users without a name.
 * Resolves to how many processes were seen. @throws Error when one survives 10 seconds
 */
export async function endAllOfUser(user: OsUser): Promise<number> {
  if (user.uid < firstWithoutName) throw new Error(`User ${user.uid} may be one of the machine`)
  const seen = new Set<number>()
  const gone = await waitUntil(async () => {
    await killAtOnce(user)
    const left = pidsOfUser(user.uid)
    for (const pid of left) {
      seen.add(pid)
      // What stands still makes no others while the rest is looked for: where no more processes can be made, this ends them.
      signal(pid, 'SIGSTOP')
    }
    for (const pid of left.length > 0 ? pidsOfUser(user.uid) : []) signal(pid, 'SIGKILL')
    return left.length === 0
  }, 10_000)
  if (!gone) throw new Error(`Processes of user ${user.uid} do not end`)
  return seen.size
}

/**
 * The live processes of a user. Read without pause, since each pause lets a process become another one; the owner of a
 * folder below /proc says nothing, since a process can make it root.
 */
export function pidsOfUser(uid: number): number[] {
  return liveProcesses().flatMap(({ pid, uids }) => (uids.includes(uid) ? [pid] : []))
}

/** Every user that a live process has as one of its four. */
export function usersOfProcesses(): Set<number> {
  return new Set(liveProcesses().flatMap(({ uids }) => uids))
}

function liveProcesses(): { pid: number; uids: number[] }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const status = readStatus(name)
    const [, ...uids] = /^Uid:\t(\d+)\t(\d+)\t(\d+)\t(\d+)$/m.exec(status) ?? []
    const isAlive = !/^State:\t[ZX]/m.test(status)
    return isAlive ? [{ pid: Number(name), uids: uids.map(Number) }] : []
  })
}

function readStatus(name: string): string {
  try {
    return readFileSync(`/proc/${name}/status`, 'utf8')
  } catch (error) {
    // It has ended meanwhile.
    if (error instanceof Error && 'code' in error && /^(ENOENT|ESRCH)$/.test(String(error.code)))
      return ''
    throw error
  }
}

/** The kernel ends in one step all that a user may signal, which nothing that multiplies escapes. */
async function killAtOnce(user: OsUser): Promise<void> {
  const child = spawn('/bin/sh', ['-c', 'kill -s KILL -- -1'], {
    cwd: '/',
    env: {},
    stdio: 'ignore',
    ...user,
  })
  try {
    await once(child, 'close')
  } catch (error) {
    // The user, or the machine, has as many processes as it may: the caller goes on with those that it sees.
    if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
  }
}
