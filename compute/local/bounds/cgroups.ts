import { createMutex } from '#kit/concurrency'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, realpath, rmdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isMissing, readIfExists } from '#kit/postgres/files'
import type { Bounds } from './size.ts'

type Controller = 'cpu' | 'memory' | 'pids' | 'io'
/** Where groups of this installation are made; of version 1 there is one tree for each controller. */
type Tree = { version: 1 | 2; folder: string; controllers: Controller[]; disk?: string | undefined }

export type Cgroups = {
  /** What the machine lets us bound; empty where it lets us nothing. */
  controllers: readonly Controller[]
  /** Puts processes, and what they start from now on, into the group of a name, with these bounds. */
  enter(name: string, pids: readonly number[], bounds: Bounds): Promise<void>
  /** Removes the group of a name, whose processes have ended. */
  leave(name: string): Promise<void>
  /** Removes every group that has no process. */
  clear(): Promise<void>
}

const desired: Controller[] = ['cpu', 'memory', 'pids', 'io']
/** As version 1 calls it. */
const nameInOne = (controller: Controller) => (controller === 'io' ? 'blkio' : controller)

/**
 * Groups of processes of this installation, which is known by its folder: others on the machine have theirs. Without the
 * right to make groups (not root, or in a container that may not) there are none, and nothing is bounded by them. Reads and
 * writes are bounded on the disk of `data`, where that is a disk.
 */
export async function openCgroups(home: string, data = home): Promise<Cgroups> {
  const real = await realpath(home).catch(() => home)
  const name = `plinth-${createHash('sha256').update(real).digest('hex').slice(0, 12)}`
  const disk = await diskOf(data)
  const offered = (await roots(disk)).filter(({ controllers }) => controllers.length > 0)
  const trees = (await Promise.all(offered.map((root) => openTree(root, name)))).filter(
    (tree) => tree !== undefined,
  )
  // One after the other: who removes the last group removes the folder that another is just being made in.
  const exclusively = createMutex()
  const inEachTree = (work: (tree: Tree) => Promise<void>): Promise<void> =>
    exclusively(async () => {
      for (const tree of trees) await work(tree)
    })
  return {
    controllers: trees.flatMap(({ controllers }) => controllers),
    enter: (group, pids, bounds) =>
      inEachTree(async (tree) => {
        await makeTree(tree)
        const folder = join(tree.folder, group)
        await makeFolder(folder)
        for (const [file, value] of settingsOf(tree, bounds)) await put(join(folder, file), value)
        // One that has ended meanwhile is in no group.
        for (const pid of pids) await put(join(folder, 'cgroup.procs'), pid).catch(unlessGone)
      }),
    leave: (group) => inEachTree(({ folder }) => removeFolders([join(folder, group), folder])),
    clear: () =>
      inEachTree(async ({ folder }) => {
        const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
        const groups = entries.filter((entry) => entry.isDirectory())
        await removeFolders([...groups.map((group) => join(folder, group.name)), folder])
      }),
  }
}

/** Of version 2 there is one tree, at whose root groups can be made beside those of the system. */
async function roots(disk: string | undefined): Promise<Tree[]> {
  const within = desired.filter((controller) => controller !== 'io' || disk !== undefined)
  if (process.platform !== 'linux') return []
  const mounts = (await readFile('/proc/self/mounts', 'utf8')).split('\n').map((line) => {
    const [, folder = '', type = '', options = ''] = line.split(' ')
    return { folder, type, options: options.split(',') }
  })
  const own = (await readFile('/proc/self/cgroup', 'utf8')).split('\n').map((line) => {
    const [, names = '', path = '/'] = line.split(':')
    return { names: names.split(','), path }
  })
  const ones = within.flatMap((controller): Tree[] => {
    const name = nameInOne(controller)
    const mount = mounts.find(({ type, options }) => type === 'cgroup' && options.includes(name))
    const path = own.find(({ names }) => names.includes(name))?.path
    if (!mount || path === undefined) return []
    return [{ version: 1, folder: join(mount.folder, path), controllers: [controller], disk }]
  })
  if (ones.length > 0) return ones
  const whole = mounts.find(({ type }) => type === 'cgroup2')
  if (!whole) return []
  const offered = await readFile(join(whole.folder, 'cgroup.controllers'), 'utf8').catch(() => '')
  const controllers = within.filter((one) => offered.split(/\s/).includes(one))
  return [{ version: 2, folder: whole.folder, controllers, disk }]
}

/** The numbers of the disk that a folder lies on, of the whole of it; undefined where it is no disk of this machine. */
async function diskOf(folder: string): Promise<string | undefined> {
  const dev = await stat(folder).then(
    (found) => found.dev,
    () => undefined,
  )
  if (dev === undefined) return undefined
  // As the C library puts the two numbers together.
  const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)]
  const found = await realpath(`/sys/dev/block/${major}:${minor}`).catch(() => undefined)
  if (found === undefined) return undefined
  const isPart = (await readIfExists(join(found, 'partition'))) !== undefined
  const whole = await readIfExists(join(isPart ? dirname(found) : found, 'dev'))
  return whole?.trim()
}

async function openTree(root: Tree, name: string): Promise<Tree | undefined> {
  const tree = { ...root, folder: join(root.folder, name) }
  try {
    await makeTree(tree)
    // That was to see whether it can be done; who has no project leaves nothing.
    await removeFolders([tree.folder])
    return tree
  } catch {
    // Whatever the reason, the machine does not let us.
    return undefined
  }
}

/** Of version 2 each group says what can be bounded in those below it. */
async function makeTree({ version, folder, controllers }: Tree): Promise<void> {
  const control = controllers.map((one) => `+${one}`).join(' ')
  if (version === 2) await put(join(dirname(folder), 'cgroup.subtree_control'), control)
  await makeFolder(folder)
  if (version === 2) await put(join(folder, 'cgroup.subtree_control'), control)
}

const period = 100_000

function settingsOf(tree: Tree, bounds: Bounds): [file: string, value: string | number][] {
  const { cores, maxCores, memory, processes, diskBytes: bytes, diskOperations: count } = bounds
  const quota = maxCores * period
  return tree.controllers.flatMap((controller): [string, string | number][] => {
    switch (controller) {
      case 'cpu':
        return tree.version === 2
          ? [
              ['cpu.weight', Math.min(10_000, cores * 100)],
              ['cpu.max', `${quota} ${period}`],
            ]
          : [
              ['cpu.shares', cores * 1024],
              ['cpu.cfs_period_us', period],
              ['cpu.cfs_quota_us', quota],
            ]
      case 'memory':
        return tree.version === 2
          ? [
              // Before anything is ended, what uses that much is slowed down.
              ['memory.high', Math.floor(memory * 0.95)],
              ['memory.max', memory],
            ]
          : [['memory.limit_in_bytes', memory]]
      case 'pids':
        return [['pids.max', processes]]
      case 'io':
        return tree.version === 2
          ? [['io.max', `${tree.disk} rbps=${bytes} wbps=${bytes} riops=${count} wiops=${count}`]]
          : (['read', 'write'] as const).flatMap((way): [string, string][] => [
              [`blkio.throttle.${way}_bps_device`, `${tree.disk} ${bytes}`],
              [`blkio.throttle.${way}_iops_device`, `${tree.disk} ${count}`],
            ])
      default:
        return controller satisfies never
    }
  })
}

const put = (file: string, value: string | number) => writeFile(file, String(value), { flag: 'r+' })

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
}

/** A group in which something lives, or that has another below it, stays. */
async function removeFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders)
    await rmdir(folder).catch((error: unknown) => {
      if (!isMissing(error) && codeOf(error) !== 'EBUSY' && codeOf(error) !== 'ENOTEMPTY')
        throw error
    })
}

function unlessGone(error: unknown): void {
  if (codeOf(error) !== 'ESRCH') throw error
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error ? error.code : undefined
