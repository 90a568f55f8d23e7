import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Log } from '#kit/log'
import { readIfExists, writeDurably } from '#kit/postgres/files'
import { runsAsRoot, type OsUser } from '#kit/postgres/os-user'
import { removeFilesOfUser } from '#kit/postgres/user-files'
import { endAllOfUser, usersOfProcesses } from '#kit/postgres/user-processes'
import type { UserRange } from './guard/rules.ts'
import { createUserRanges, earlierRange, rangeSize } from './user-ranges.ts'

/** users.json, in the home: the ranges that this installation has, and the number that comes next in the last of them. */
const State = z.object({ version: z.literal(1), ranges: z.array(z.int()).min(1), next: z.int() })
type State = z.infer<typeof State>

/** Of this machine, whichever home an installation has. */
export const usualRanges = '/var/lib/plinth/users'

export type UsersOptions = {
  home: string
  /** Says which installation of this machine has which numbers (user-ranges.ts). */
  ranges: string
  /** The numbers that projects have now. */
  used: ReadonlySet<number>
  log: Log
  /** Told of all ranges of this installation before anybody gets a number of a new one. */
  onRanges?: (ranges: readonly UserRange[]) => Promise<void>
}

/**
 * The operating system's users of servers: numbers without a name. Each is given once and never again, whatever becomes of
 * the project, since something of its earlier owner might still run or lie somewhere. Where the platform is not root there
 * are none: everything is its own.
 */
export async function openUsers(options: UsersOptions): Promise<Users> {
  if (!runsAsRoot() || process.platform !== 'linux') return createSharedUser()
  const { log, used, onRanges = () => Promise.resolve() } = options
  const home = await realpath(options.home)
  const ranges = createUserRanges(options.ranges, home)
  const file = join(home, 'users.json')
  const save = async (state: State): Promise<State> => {
    await writeDurably(file, JSON.stringify(state))
    return state
  }
  async function withNewRange(before: readonly number[]): Promise<State> {
    const base = await ranges.take()
    // The first one is for templates, in which nobody has been.
    return save({ version: 1, ranges: [...before, base], next: base + 1 })
  }
  const recorded = await readState(file, log)
  const held = await keepHeld(recorded?.ranges ?? [])
  // Numbers of a range that another installation has, since this home is a copy of its home, are not given any more.
  const goesOn = recorded !== undefined && held.has(lastOf(recorded))
  let state = goesOn ? recorded : await withNewRange(recorded?.ranges ?? [])
  held.add(lastOf(state))
  // users.json may have been restored, and be older than the projects.
  const given = [...used].filter((uid) => within({ base: lastOf(state), size: rangeSize }, uid))
  state = { ...state, next: Math.max(state.next, ...given.map((uid) => uid + 1)) }
  const template = { uid: lastOf(state), gid: lastOf(state) }
  const isEarlier = (uid: number) => within(earlierRange, uid)
  const holdsEarlier =
    [...used].some((uid) => isEarlier(uid)) && (await ranges.hold(earlierRange.base))

  async function keepHeld(bases: readonly number[]): Promise<Set<number>> {
    const kept = new Set<number>()
    for (const base of bases) if (await ranges.hold(base)) kept.add(base)
    return kept
  }
  const isOurs = (uid: number) =>
    (holdsEarlier && isEarlier(uid)) ||
    [...held].some((base) => within({ base, size: rangeSize }, uid))

  const tell = () =>
    onRanges([
      ...[...held].map((base) => rangeOf({ base, size: rangeSize })),
      ...(holdsEarlier ? [rangeOf(earlierRange)] : []),
    ])
  await tell()

  let last: Promise<unknown> = Promise.resolve()
  /** One after the other, and on disk before it is told. */
  function give(): Promise<OsUser> {
    const giving = last.then(async () => {
      const isUp = state.next >= lastOf(state) + rangeSize
      const now = isUp ? await withNewRange(state.ranges) : state
      if (!held.has(lastOf(now))) {
        held.add(lastOf(now))
        await tell()
      }
      state = await save({ ...now, next: now.next + 1 })
      return { uid: now.next, gid: now.next }
    })
    last = giving.catch(() => undefined)
    return giving
  }
  async function end(user: OsUser | undefined): Promise<void> {
    if (!user || !isOurs(user.uid)) return
    const ended = await endAllOfUser(user)
    if (ended > 0) log.warn({ uid: user.uid, ended }, 'Processes outlived their server: ended')
  }
  return {
    template,
    give,
    owns: isOurs,
    end,
    async endAll() {
      const living = [...usersOfProcesses()].filter((uid) => isOurs(uid))
      for (const uid of living) await end({ uid, gid: uid })
    },
    async clear(user) {
      if (!user || !isOurs(user.uid)) return
      const removed = await removeFilesOfUser(user)
      const some = removed.slice(0, 20)
      if (removed.length > 0)
        log.warn(
          { uid: user.uid, count: removed.length, some },
          'Files outlived their server: removed',
        )
    },
  }
}

export type Users = {
  /** For the servers that templates are made with. */
  template: OsUser | undefined
  /** A user that nobody has had before. */
  give(): Promise<OsUser | undefined>
  /** Whether a number is this installation's, and certainly no other's. */
  owns(uid: number): boolean
  /** Ends every process of a user; a number that may be another installation's is left alone. */
  end(user: OsUser | undefined): Promise<void>
  /** Ends every process of every user of this installation: no server is to run. */
  endAll(): Promise<void>
  /** Removes what a user, whose processes have ended, has left where everybody may make files. */
  clear(user: OsUser | undefined): Promise<void>
}

function createSharedUser(): Users {
  const nothing = () => Promise.resolve()
  return {
    template: undefined,
    give: () => Promise.resolve(undefined),
    owns: () => false,
    end: nothing,
    endAll: nothing,
    clear: nothing,
  }
}

const rangeOf = ({ base, size }: { base: number; size: number }): UserRange => ({
  first: base,
  last: base + size - 1,
})
const lastOf = ({ ranges }: State): number => ranges.at(-1) ?? 0
const within = ({ base, size }: { base: number; size: number }, uid: number) =>
  uid >= base && uid < base + size

/** What cannot be read is not believed: numbers of a new range have certainly never been given. */
async function readState(file: string, log: Log): Promise<State | undefined> {
  const text = await readIfExists(file)
  if (text === undefined) return undefined
  try {
    return State.parse(JSON.parse(text))
  } catch (error) {
    log.error({ err: error }, 'users.json is damaged: a new range of users is taken')
    return undefined
  }
}
