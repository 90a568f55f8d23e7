import { access, constants } from 'node:fs/promises'
import type { Log } from '#kit/log'
import { readIfExists } from '#kit/postgres/files'
import { runsAsRoot, type OsUser } from '#kit/postgres/os-user'
import type { StartOptions } from '#kit/postgres/server'
import { pidsOfUser } from '#kit/postgres/user-processes'
import { openCgroups } from './cgroups.ts'
import { boundsOf } from './size.ts'
import { openView } from './view.ts'

/** What holds the servers of projects beside their rights: each rung as far as the machine has it. */
export type Containment = {
  /** Of the machine, in words for the operator. */
  rungs: readonly string[]
  /** What a server is started with so that it is held. */
  held(server: Held): Promise<Pick<StartOptions, 'user' | 'through' | 'began'>>
  /** Bounds a server that an earlier life of the platform has started. */
  takenOver(
    ref: string,
    maxConnections: number,
    pid: number,
    user: OsUser | undefined,
  ): Promise<void>
  /** The processes of a server, or group, have ended. */
  ended(group: string): Promise<void>
}

/** A server, as what holds it has to know it. */
type Held = {
  /** Of processes that share their bounds: the ref of a project. */
  group: string
  maxConnections: number
  user: OsUser | undefined
  /** Folders that it writes to, and others that it reads; they exist. */
  writes: readonly string[]
  reads: readonly string[]
}

type Options = {
  home: string
  /** Where the data of projects lie. */
  data: string
  log: Log
  /** False: as on a machine that gives nobody a view of its own. */
  ownView?: boolean | undefined
}

export async function openContainment(options: Options): Promise<Containment> {
  const { home, data, log, ownView = true } = options
  const groups = await openCgroups(home, data)
  await groups.clear()
  const setpriv = await found('setpriv')
  const prlimit = await found('prlimit')
  const maxMemory = await addressSpace()
  const root = runsAsRoot()
  const unshare = await found('unshare')
  const view =
    ownView && root && unshare && setpriv ? await openView({ unshare, setpriv }) : undefined
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
      view
        ? 'a view of files and processes of its own'
        : 'no view of its own (the machine gives nobody another view of its mounts)',
      prlimit
        ? 'a bound for the memory of each process'
        : 'no bound for the memory of a process (prlimit is not installed)',
    ],
    async held({ group, maxConnections, user, writes, reads }) {
      const { memory, memoryOfOne } = boundsOf(maxConnections)
      const seen = view && user ? await view.through(user, { writes, reads, memory }) : []
      return {
        // The one that begins is root as long as it makes the view, and then that user.
        user: seen.length > 0 ? undefined : user,
        through: [
          ...seen,
          ...(setpriv ? [setpriv, '--no-new-privs'] : []),
          ...(prlimit ? [prlimit, `--as=${Math.min(memoryOfOne, maxMemory)}`] : []),
        ],
        async began(pid) {
          if (isGrouped) await bound(group, maxConnections, [pid])
        },
      }
    },
    async takenOver(ref, maxConnections, pid, user) {
      if (isGrouped) await bound(ref, maxConnections, user ? pidsOfUser(user.uid) : [pid])
    },
    ended: (group) => groups.leave(group),
  }
}

/** Bytes that whoever started us lets each process have at most: who is not root can give no more to others. */
async function addressSpace(): Promise<number> {
  const limits = await readIfExists('/proc/self/limits')
  const hard = Number(/^Max address space +\S+ +(\d+)/m.exec(limits ?? '')?.[1])
  return hard > 0 ? hard : Infinity
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
