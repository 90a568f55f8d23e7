import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Log } from '#kit/log'
import { flushToDisk } from '#kit/postgres/cluster'
import { exists } from '#kit/postgres/files'
import { runsAsRoot, type OsUser } from '#kit/postgres/os-user'
import type { PostgresRuntime } from '#kit/postgres/runtime'
import { hasConfig, writeConfig } from './config.ts'
import type { Folders } from './folders.ts'
import { firstAccessRules } from './settings.ts'
import { copyCluster, type Template } from './template.ts'
import type { Users } from './users.ts'

export type SparesOptions = {
  runtime: PostgresRuntime
  folders: Folders
  template: Template
  users: Users
  /** How many copies to keep ready. */
  count: number
  /** The users that projects have. */
  usedUids: () => ReadonlySet<number>
  log: Log
}
/** What a project is made of, in a folder `home` of its own. `flushed` says whether the data would survive a power cut. */
export type Copy = {
  home: string
  dataDir: string
  configDir: string
  user: OsUser | undefined
  flushed: boolean
}

/**
 * Copies of the template made ahead of time, each already owned by the user it is for. They are made in the background
 * while nobody waits; a create takes one by renaming it, or makes its own copy when there is none.
 */
export async function createSpares(options: SparesOptions) {
  const { folders, template, runtime, users } = options
  const ready: Copy[] = []
  let filling: Promise<void> | undefined
  let closed = false

  const copyIn = (home: string, user: OsUser | undefined, flushed: boolean): Copy => ({
    home,
    dataDir: join(home, 'data'),
    configDir: join(home, 'config'),
    user,
    flushed,
  })

  async function copy(): Promise<Copy> {
    const user = await users.give()
    const made = copyIn(join(folders.spares, `new-${randomBytes(6).toString('hex')}`), user, false)
    try {
      await mkdir(made.home, { mode: 0o711 })
      await Promise.all([
        copyCluster(template.dataDir, made.dataDir, user),
        writeConfig(made.configDir, firstAccessRules, user),
      ])
      return made
    } catch (error) {
      await folders.discard(made.home)
      throw error
    }
  }

  async function addSpare(): Promise<void> {
    const { home, dataDir, user } = await copy()
    await flushToDisk(runtime.binaries, dataDir, user)
    const path = join(folders.spares, `${template.key}-${user?.uid ?? 'own'}-${basename(home)}`)
    await rename(home, path)
    ready.push(copyIn(path, user, true))
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
    const used = options.usedUids()
    for (const name of await readdir(folders.spares)) {
      const home = join(folders.spares, name)
      const [key, owner] = name.split('-')
      const uid = runsAsRoot() ? Number(owner) : undefined
      const isNobodys = uid === undefined ? owner === 'own' : users.owns(uid) && !used.has(uid)
      const spare = copyIn(home, uid === undefined ? undefined : { uid, gid: uid }, true)
      const isWhole = (await exists(spare.dataDir)) && (await hasConfig(spare.configDir))
      const fits = key === template.key && isNobodys && isWhole
      if (!fits || ready.length === options.count) await folders.discard(home)
      else ready.push(spare)
    }
  }

  await adopt()
  return {
    /** A copy for the caller to rename away, and to discard what is left of its home. */
    take,
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
