import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chmod, lstat, mkdir, readlink, realpath, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { madeOnce } from '../made-once.ts'
import { keptBuilds } from './builds/build.ts'
import { binariesIn, locateBinaries, type PostgresBinaries } from './binaries.ts'
import { copyOfInstallation } from './builds/installation.ts'
import {
  keepPrograms,
  keptPrograms,
  programsId,
  versionOfPrograms,
} from './builds/kept-programs.ts'
import { withTrustedExtensions } from './trusted-extensions.ts'
import { namedUnprivilegedUser, runsAsRoot, type OsUser } from './os-user.ts'

const run = promisify(execFile)

/** Where servers of this machine find their programs, their files and their sockets. */
export type PostgresRuntime = {
  /** Of every server that has no need of builds (builds/build.ts). */
  binaries: PostgresBinaries
  /** The same as they came. */
  plain: PostgresBinaries
  /** Where copies of the programs go. */
  programs: string
  /** Data directories go below this folder: every user can pass through it, nobody else can list it. */
  clusters: string
  /** Same, with a path short enough for unix sockets (a socket path has at most 107 bytes). */
  sockets: string
}

/** Room for "/", a folder name of 20 letters, "/.s.PGSQL.65535" and ".lock" below the sockets folder. */
const longestSocketsPath = 60

/**
 * Prepares everything below `home`, as root or as an ordinary user. As root the servers run under users of their own,
 * which may not be able to reach `home` (a checkout below /root): then the programs are copied and the data
 * directories live where they can, with a link left in `home`.
 * @param installation the folder of a PostgreSQL in the place of the one that npm installed
 */
export async function preparePostgres(
  home: string,
  from: string[] = [],
  installation?: string,
): Promise<PostgresRuntime> {
  await mkdir(home, { recursive: true })
  const real = await realpath(home)
  const user = runsAsRoot() ? await namedUnprivilegedUser() : undefined
  const reachable = user === undefined || (await canPass(real, user))
  const programs = await programsFolder(reachable ? real : undefined)
  const binaries =
    installation === undefined
      ? await runnableBinaries(await locateBinaries(from), reachable ? real : undefined, user)
      : await copyOfInstallation(installation, programs, user)
  return {
    binaries: await withTrustedExtensions(binaries, programs, user),
    plain: binaries,
    programs,
    clusters: await clustersFolder(real, reachable),
    sockets: await socketsFolder(real, reachable),
  }
}

/** The given programs, or a copy of them when the user cannot run them where they are. `home` is a place it can reach. */
export async function runnableBinaries(
  binaries: PostgresBinaries,
  home: string | undefined,
  user: OsUser | undefined,
): Promise<PostgresBinaries> {
  if (!user || (await canRun(binaries.native, user))) return binaries
  const parent = await programsFolder(home)
  const target = join(parent, `${process.arch}-${binaries.version}`)
  await madeOnce(
    target,
    async (copy) => {
      await run('cp', ['-a', '--', binaries.native, copy])
      await run('chown', ['-R', '--', '0:0', copy])
      await run('chmod', ['-R', 'go=rX,u+rwX', copy])
    },
    () => canRun(target, user),
  )
  await ownFolder(target, 0o755)
  return binariesIn(target, user)
}

/** Where copies of the programs go. `home` is a place that the user of the servers can reach. */
const programsFolder = (home: string | undefined): Promise<string> =>
  ownFolder(home ? join(home, 'bin') : join(tmpdir(), 'plinth-postgres'), 0o755)

async function canRun(native: string, user: OsUser): Promise<boolean> {
  return binariesIn(native, user).then(
    () => true,
    () => false,
  )
}

/** Whether a user can pass through a folder and all its parents, asked of the kernel and not of the mode bits. */
async function canPass(folder: string, user: OsUser): Promise<boolean> {
  return run('test', ['-x', folder], { cwd: '/', ...user }).then(
    () => true,
    () => false,
  )
}

async function clustersFolder(home: string, reachable: boolean): Promise<string> {
  const inside = join(home, 'clusters')
  const state = await lstat(inside).catch(() => undefined)
  if (state?.isSymbolicLink()) return ownFolder(await readlink(inside), 0o711)
  if (reachable || state) return ownFolder(inside, 0o711)
  const outside = join('/var/lib/plinth', randomBytes(8).toString('hex'))
  await ownFolder(dirname(outside), 0o711)
  await ownFolder(outside, 0o711)
  await symlink(outside, inside)
  return outside
}

async function socketsFolder(home: string, reachable: boolean): Promise<string> {
  const inside = join(home, 'sockets')
  if (reachable && Buffer.byteLength(inside) <= longestSocketsPath) return ownFolder(inside, 0o711)
  const key = createHash('sha256').update(home).digest('hex').slice(0, 12)
  const owner = process.getuid?.() ?? 0
  const parent = owner === 0 && process.platform === 'linux' ? '/run' : tmpdir()
  return ownFolder(join(parent, `plinth-${owner}-${key}`), 0o711)
}

/** Makes a folder, or takes an existing one only if it is a real folder that belongs to us and others cannot write to. */
async function ownFolder(path: string, mode: number): Promise<string> {
  await mkdir(path, { recursive: true, mode })
  const state = await lstat(path)
  const mine = state.isDirectory() && state.uid === (process.getuid?.() ?? state.uid)
  if (!mine) throw new Error(`${path} exists and does not belong to this user: remove it`)
  await chmod(path, mode)
  return path
}

export type ProjectPrograms = {
  id: string
  binaries: PostgresBinaries
  /** Libraries of builds that a server loads at its start. */
  preload: readonly string[]
}

/** Keeps the programs that are installed now for projects that run on them when others are (builds/kept-programs.ts). */
export const keepInstalled = async ({ plain, programs }: PostgresRuntime): Promise<void> =>
  keepPrograms(plain, programs, await serverUser())

const serverUser = async () => (runsAsRoot() ? namedUnprivilegedUser() : undefined)

/**
 * The programs of a server that starts now, with all builds that this home has by now.
 * @param id which of those that are kept; those that are installed now unless told, where they are not kept, and where they are of
 * the same version
 */
export async function projectPrograms(
  { binaries, plain, programs }: PostgresRuntime,
  home: string,
  id = programsId(plain),
): Promise<ProjectPrograms> {
  const builds = await keptBuilds(home)
  const user = await serverUser()
  const kept =
    versionOfPrograms(id) === plain.version
      ? undefined
      : (await keptPrograms(programs, user)).get(id)
  if (!kept && builds.length === 0) return { id: programsId(plain), binaries, preload: [] }
  return {
    id: kept ? id : programsId(plain),
    binaries: await withTrustedExtensions(kept ?? binaries, programs, user, builds),
    preload: builds.flatMap(({ preload }) => preload),
  }
}
