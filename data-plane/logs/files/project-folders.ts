import { randomInt } from 'node:crypto'
import { chmod, chown, lchown, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from '#kit/postgres/files'
import { runsAsRoot, type OsUser } from '#kit/postgres/os-user'
import { dayOfFolder, folderOfDay } from './days.ts'

/** Numbers of users without names; no server and no worker has one of these. */
const [firstUser, lastUser] = [1_200_000_000, 2_000_000_000]

/**
 * The folders below which all logs lie: one for each project, and in it one for each day. Where the platform is root, a
 * project's folder belongs to a group that nobody else has, and whatever is made in it inherits that group: the user whose
 * number is the group's reads the logs of this project and of no other, and can write none. Elsewhere all is its own.
 */
export function createProjectFolders(folder: string) {
  const isRoot = runsAsRoot()
  const [folderMode, fileMode] = isRoot ? [0o2750, 0o640] : [0o700, 0o600]
  const made = new Map<string, Promise<void>>()
  let groups: Promise<Set<number>> | undefined
  const of = (ref: string): string => {
    // A ref is letters; what is not could lead somewhere else.
    if (!/^[a-z]{1,40}$/.test(ref)) throw new Error(`${ref} is no ref of a project`)
    return join(folder, ref)
  }

  async function groupsInUse(): Promise<Set<number>> {
    const found = new Set<number>()
    for (const name of await namesIn(folder)) {
      const state = await statOf(join(folder, name))
      if (state) found.add(state.gid)
    }
    return found
  }
  async function newGroup(): Promise<number> {
    const taken = await (groups ??= groupsInUse())
    for (;;) {
      const gid = randomInt(firstUser, lastUser)
      if (taken.has(gid)) continue
      taken.add(gid)
      return gid
    }
  }
  /** Whatever is in a project's folder as well. The folder comes last: until then it has not been given. */
  async function give(own: string, gid: number): Promise<void> {
    const all = await readdir(own, { recursive: true, withFileTypes: true })
    for (const entry of all) {
      // Whoever had it may have left links to what is not theirs.
      if (!entry.isFile() && !entry.isDirectory()) continue
      const path = join(entry.parentPath, entry.name)
      await lchown(path, 0, gid)
      await chmod(path, entry.isFile() ? fileMode : folderMode)
    }
    await chown(own, 0, gid)
  }
  async function makeProject(ref: string): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o711 })
    const own = of(ref)
    await makeUnlessThere(own, 0o700)
    // New, or made by one that was not root or was ended between the two steps.
    if (isRoot && !isReaders((await stat(own)).gid)) await give(own, await newGroup())
    await chmod(own, folderMode)
  }
  async function madeProject(ref: string): Promise<void> {
    const making = made.get(ref) ?? makeProject(ref)
    made.set(ref, making)
    try {
      await making
    } catch (error) {
      made.delete(ref)
      throw error
    }
  }

  return {
    folder,
    fileMode,
    of,
    ofDay: (ref: string, day: number): string => join(of(ref), folderOfDay(day)),
    /** Makes the folder of a project that has none yet. */
    makeProject: madeProject,
    /** Makes the folder of a day, and that of its project. */
    async make(ref: string, day: number): Promise<void> {
      await madeProject(ref)
      const path = join(of(ref), folderOfDay(day))
      try {
        await makeUnlessThere(path, folderMode)
      } catch (error) {
        if (!isMissing(error)) throw error
        // Another process has removed the project's own.
        made.delete(ref)
        await madeProject(ref)
        await makeUnlessThere(path, folderMode)
      }
      await chmod(path, folderMode)
    },
    /** Who reads this project's logs; undefined where everything is one user's. */
    async reader(ref: string): Promise<OsUser | undefined> {
      if (!isRoot) return undefined
      let { gid } = await stat(of(ref))
      if (!isReaders(gid)) {
        made.delete(ref)
        await madeProject(ref)
        ;({ gid } = await stat(of(ref)))
      }
      if (!isReaders(gid)) throw new Error(`${of(ref)} belongs to a group that is not a reader's`)
      return { uid: gid, gid }
    },
    async projects(): Promise<string[]> {
      return (await namesIn(folder)).filter((name) => /^[a-z]{1,40}$/.test(name))
    },
    /** Days that have a folder, the oldest first. */
    async days(ref: string): Promise<number[]> {
      const days = (await namesIn(of(ref))).map(dayOfFolder).filter((day) => day !== undefined)
      return days.toSorted((a, b) => a - b)
    },
  }
}
export type ProjectFolders = ReturnType<typeof createProjectFolders>

const isReaders = (gid: number) => gid >= firstUser && gid < lastUser

async function makeUnlessThere(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

/** Names in a folder; none where there is no folder. */
export async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path)
  } catch (error) {
    // A file that has the name of a folder is none of ours.
    const isFile = error instanceof Error && 'code' in error && error.code === 'ENOTDIR'
    if (isMissing(error) || isFile) return []
    throw error
  }
}

/** What the system says of a file or folder; undefined when it is gone. */
export async function statOf(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
