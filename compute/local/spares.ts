import { randomBytes } from 'node:crypto'
import { readdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Log } from '#kit/log'
import { flushToDisk } from '#kit/postgres/cluster'
import type { OsUser } from '#kit/postgres/os-user'
import type { PostgresRuntime } from '#kit/postgres/runtime'
import type { Folders } from './folders.ts'
import { copyCluster, type Template } from './template.ts'

export type SparesOptions = {
  runtime: PostgresRuntime
  folders: Folders
  template: Template
  /** How many copies to keep ready. */
  count: number
  /** The first number for users of projects; undefined where we are not root and everything is ours. */
  firstUid: number | undefined
  usedUids: () => ReadonlySet<number>
  log: Log
}
/** `flushed` says whether it would survive a power cut. */
export type Copy = { path: string; user: OsUser | undefined; flushed: boolean }

/**
 * Copies of the template made ahead of time, each already owned by the user it is for. They are made in the background
 * while nobody waits; a create takes one by renaming it, or makes its own copy when there is none.
 */
export async function createSpares(options: SparesOptions) {
  const { folders, template, runtime } = options
  const ready: Copy[] = []
  const reserved = new Set<number>()
  let filling: Promise<void> | undefined
  let closed = false

  function reserveUser(): OsUser | undefined {
    if (options.firstUid === undefined) return undefined
    const used = options.usedUids()
    let uid = options.firstUid
    while (used.has(uid) || reserved.has(uid)) uid++
    reserved.add(uid)
    return { uid, gid: uid }
  }
  function release(user: OsUser | undefined): void {
    if (user) reserved.delete(user.uid)
  }

  async function copy(): Promise<Copy> {
    const user = reserveUser()
    const path = join(folders.spares, `new-${randomBytes(6).toString('hex')}`)
    try {
      await copyCluster(template.dataDir, path, user)
      return { path, user, flushed: false }
    } catch (error) {
      release(user)
      await folders.discard(path)
      throw error
    }
  }

  async function addSpare(): Promise<void> {
    const made = await copy()
    await flushToDisk(runtime.binaries, made.path, made.user)
    const name = `${template.key}-${made.user?.uid ?? 'own'}-${basename(made.path)}`
    const path = join(folders.spares, name)
    await rename(made.path, path)
    ready.push({ ...made, path, flushed: true })
  }
  /** One copy after the other until there are enough. After a failure the next create tries again. */
  function refill(): void {
    if (filling || closed || ready.length >= options.count) return
    filling = addSpare().then(
      () => {
        filling = undefined
        refill()
      },
      (error: unknown) => {
        filling = undefined
        options.log.error({ err: error }, 'no spare cluster')
      },
    )
  }
  let awaited = false
  async function take(): Promise<Copy> {
    const spare = ready.shift()
    if (spare || !filling || awaited) return spare ?? copy()
    // The copy that is under way comes sooner than another one beside it; for one caller.
    awaited = true
    await filling
    awaited = false
    return ready.shift() ?? copy()
  }

  /** Keeps the copies of the last run that still fit, and removes the others. */
  async function adopt(): Promise<void> {
    for (const name of await readdir(folders.spares)) {
      const path = join(folders.spares, name)
      const [key, owner] = name.split('-')
      const uid = options.firstUid === undefined ? undefined : Number(owner)
      const fits = key === template.key && (uid === undefined ? owner === 'own' : isFree(uid))
      if (!fits || ready.length === options.count) await folders.discard(path)
      else {
        if (uid !== undefined) reserved.add(uid)
        const user = uid === undefined ? undefined : { uid, gid: uid }
        ready.push({ path, user, flushed: true })
      }
    }
  }
  const isFree = (uid: number) =>
    uid >= (options.firstUid ?? 0) && !options.usedUids().has(uid) && !reserved.has(uid)

  await adopt()
  return {
    /** A copy for the caller to rename away. Its user stays reserved until `release`. */
    take,
    /** A user alone, for data that come from elsewhere; reserved until `release`. */
    reserve: reserveUser,
    release,
    refill,
    /** Waits until there are enough copies, or none can be made. */
    async settled(): Promise<void> {
      while (filling) await filling
    },
    async close(): Promise<void> {
      closed = true
      await filling
    },
  }
}
export type Spares = Awaited<ReturnType<typeof createSpares>>
