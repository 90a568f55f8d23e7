import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { syncTree } from '../../made-once.ts'
import { isMissing, syncFolder } from '../files.ts'
import { namedUnprivilegedUser, runsAsRoot, type OsUser } from '../os-user.ts'
import type { PostgresRuntime } from '../runtime.ts'
import { withTrustedExtensions } from '../trusted-extensions.ts'
import { BuildError, buildsIn, keptBuilds, type Build } from './build.ts'
import { packageOf, unpackDeb } from './deb.ts'
import { checkPlaces } from './lay.ts'
import { stageBuild } from './stage.ts'
import { filesOf } from './tree.ts'
import { tryBuild } from './trial.ts'

export type NewBuild = {
  /** The folder of this installation. */
  home: string
  runtime: PostgresRuntime
  /** A Debian package, or a folder (`filesOf` says how it may look). */
  from: string
  /** Owners of databases may create its extensions, whose scripts run as the superuser for them. */
  trust: boolean
  /** Libraries of it that servers load at their start. */
  preload: readonly string[]
}

/**
 * Adds a build of extensions to those that projects' servers have from their next start on, or puts it in the place of an
 * earlier one of the same name. It is checked and tried before; until it has passed there is nothing of it.
 * @throws BuildError
 */
export async function addBuild({ home, runtime, from, ...how }: NewBuild): Promise<Build> {
  const user = runsAsRoot() ? await namedUnprivilegedUser() : undefined
  const source = resolve(from)
  const id = `.new-${randomBytes(6).toString('hex')}`
  const scratch = await mkdtemp(join(tmpdir(), 'plinth-build-'))
  const staged = join(buildsIn(home), id)
  // Beside the other copies: there the programs can be linked, and run by the user of servers.
  const trial = join(runtime.programs, id)
  try {
    const folder = await folderOf(source, scratch, user)
    const [major = ''] = runtime.binaries.version.split('.')
    const name = folder === source ? basename(source) : packageOf(source)
    const files = await filesOf(folder, major)
    const build = await stageBuild(files, staged, { name, source: basename(source), ...how })
    const others = (await keptBuilds(home)).filter((other) => other.name !== name)
    await checkPlaces(build, runtime.binaries, others)
    await mkdir(trial, { mode: 0o755 })
    const programs = await withTrustedExtensions(runtime.binaries, trial, user, [...others, build])
    const preloadOfOthers = others.flatMap(({ preload }) => preload)
    await tryBuild(build, programs, { user, preloadOfOthers })
    return await publish(home, build)
  } finally {
    for (const path of [scratch, staged, trial]) await rm(path, { recursive: true, force: true })
  }
}

/** The folder itself, or the one that the package was unpacked into. */
async function folderOf(
  source: string,
  scratch: string,
  user: OsUser | undefined,
): Promise<string> {
  const state = await stat(source).catch((error: unknown) => {
    throw isMissing(error) ? new BuildError(`there is no ${source}`) : error
  })
  if (state.isDirectory()) return source
  if (!state.isFile()) throw new BuildError(`${source} is neither a package nor a folder`)
  const folder = join(scratch, 'package')
  await chmod(scratch, 0o711)
  await mkdir(folder, { mode: 0o700 })
  await unpackDeb(source, folder, user)
  return folder
}

async function publish(home: string, build: Build): Promise<Build> {
  await syncTree(build.folder)
  const folder = join(buildsIn(home), build.name)
  const aside = join(buildsIn(home), `.old-${randomBytes(6).toString('hex')}`)
  const isThere = await rename(folder, aside).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false
      throw error
    },
  )
  await rename(build.folder, folder)
  await syncFolder(buildsIn(home))
  if (isThere) await rm(aside, { recursive: true, force: true })
  return { ...build, folder }
}

/** Servers that run keep what they have; those that start later are without it. */
export async function removeBuild(home: string, { folder }: Build): Promise<void> {
  const aside = join(buildsIn(home), `.old-${randomBytes(6).toString('hex')}`)
  await rename(folder, aside)
  await syncFolder(buildsIn(home))
  await rm(aside, { recursive: true, force: true })
}
