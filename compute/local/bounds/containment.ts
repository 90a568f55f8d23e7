import { access, constants } from 'node:fs/promises'
import type { Log } from '#kit/log'
import { runsAsRoot, type OsUser } from '#kit/postgres/os-user'
import { pidsOfUser } from '#kit/postgres/user-processes'
import { openCgroups } from './cgroups.ts'
import { boundsOf } from './size.ts'

/** What holds the servers of projects beside their rights: each rung as far as the machine has it. */
export type Containment = {
  /** Of the machine, in words for the operator. */
  rungs: readonly string[]
  /** The command that a server's program is started by. */
  through(maxConnections: number): string[]
  /** Bounds a server that has just begun, before it has children. */
  began(ref: string, maxConnections: number, pid: number): Promise<void>
  /** Bounds a server that an earlier life of the platform has started. */
  takenOver(
    ref: string,
    maxConnections: number,
    pid: number,
    user: OsUser | undefined,
  ): Promise<void>
  /** Its processes have ended. */
  ended(ref: string): Promise<void>
}

export async function openContainment(home: string, log: Log): Promise<Containment> {
  const groups = await openCgroups(home)
  await groups.clear()
  const setpriv = await found('setpriv')
  const prlimit = await found('prlimit')
  const root = runsAsRoot()
  const isGrouped = groups.controllers.length > 0

  async function bound(
    ref: string,
    maxConnections: number,
    pids: readonly number[],
  ): Promise<void> {
    try {
      await groups.enter(ref, pids, boundsOf(maxConnections))
    } catch (error) {
      // It runs all the same: unbounded is better than not at all.
      log.error(
        { ref, err: error },
        'The server of a project has no bounds of processor and memory',
      )
    }
  }
  return {
    rungs: [
      root
        ? 'a user of its own for each project'
        : 'no users of their own (the platform is not root)',
      setpriv ? 'no new privileges' : 'no guard against new privileges (setpriv is not installed)',
      isGrouped
        ? `control groups for ${groups.controllers.join(', ')}`
        : 'no control groups (the machine lets us make none)',
      prlimit
        ? 'a bound for the memory of each process'
        : 'no bound for the memory of a process (prlimit is not installed)',
    ],
    through(maxConnections) {
      const { memoryOfOne } = boundsOf(maxConnections)
      return [
        ...(setpriv ? [setpriv, '--no-new-privs'] : []),
        ...(prlimit ? [prlimit, `--as=${memoryOfOne}`] : []),
      ]
    },
    async began(ref, maxConnections, pid) {
      if (isGrouped) await bound(ref, maxConnections, [pid])
    },
    async takenOver(ref, maxConnections, pid, user) {
      if (isGrouped) await bound(ref, maxConnections, user ? pidsOfUser(user.uid) : [pid])
    },
    ended: (ref) => groups.leave(ref),
  }
}

/** Where a program of the machine lies. */
async function found(name: string): Promise<string | undefined> {
  for (const folder of ['/usr/bin', '/bin', '/usr/local/bin']) {
    const path = `${folder}/${name}`
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return undefined
}
