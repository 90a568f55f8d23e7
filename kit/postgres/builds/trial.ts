import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DatabaseError } from 'pg'
import { ident, quoteLiteral } from '#contract/ddl/sql-text'
import type { PostgresBinaries } from '../binaries.ts'
import { withClient } from '../client.ts'
import { initCluster } from '../cluster.ts'
import type { OsUser } from '../os-user.ts'
import { preloadSetting } from './preload.ts'
import { startServer, stopServer } from '../server.ts'
import { BuildError, type KeptBuild } from './build.ts'
import { placeIn } from './lay.ts'

const run = promisify(execFile)

/**
 * Tries a build in a server of its own that nobody else reaches and that is gone afterwards: its libraries load, and each of its
 * extensions can be created. `programs` have it, and what it may need of others.
 * @throws BuildError with what the server said
 */
export async function tryBuild(
  { extensions, files, preload }: Pick<KeptBuild, 'extensions' | 'files' | 'preload'>,
  programs: PostgresBinaries,
  { user, preloadOfOthers }: { user: OsUser | undefined; preloadOfOthers: readonly string[] },
): Promise<void> {
  const libraries = files.filter(({ place }) => place === 'lib').map(({ name }) => name)
  for (const library of libraries)
    await checkNeeded(library, join(placeIn(programs, 'lib'), library), user)
  const scratch = await mkdtemp(join(tmpdir(), 'plinth-trial-'))
  const [dataDir, socketDir] = [join(scratch, 'data'), join(scratch, 's')]
  const logFile = join(scratch, 'server.log')
  try {
    await chmod(scratch, 0o711)
    await mkdir(socketDir, { mode: 0o700 })
    if (user) await chown(socketDir, user.uid, user.gid)
    const login = { superuser: 'trial', password: randomBytes(24).toString('hex') }
    await initCluster({ binaries: programs, dataDir, ...login, user, noSync: true })
    const settings = {
      fsync: 'off',
      shared_preload_libraries: preloadSetting([...preloadOfOthers, ...preload]),
    }
    await startServer({
      binaries: programs,
      dataDir,
      socketDir,
      port: 5432,
      tcp: false,
      settings,
      logFile,
      user,
    }).catch((error: unknown) => {
      throw new BuildError(`the server does not start with it: ${textOf(error)}`, { cause: error })
    })
    const connection = { host: socketDir, port: 5432, user: 'trial', password: login.password }
    const attempt = async (what: string, statements: string[]) => {
      try {
        await withClient({ ...connection, database: 'postgres' }, async (client) => {
          for (const sql of statements) await client.query(sql)
        })
      } catch (error) {
        const lastLines = error instanceof DatabaseError ? '' : await endOf(logFile)
        throw new BuildError(`${what}: ${textOf(error)}${lastLines}`, { cause: error })
      }
    }
    for (const library of libraries)
      await attempt(`${library} cannot be loaded`, [
        `load ${quoteLiteral(join(placeIn(programs, 'lib'), library))}`,
      ])
    // Each as if it were the only one: those of one package may exclude each other.
    for (const { name } of extensions)
      await attempt(`create extension ${name} fails`, [
        'begin',
        `create extension ${ident(name)} cascade`,
        'rollback',
      ])
  } finally {
    await stopServer(dataDir, { mode: 'immediate' })
    await rm(scratch, { recursive: true, force: true })
  }
}

const textOf = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof DatabaseError && error.detail ? `${message} (${error.detail})` : message
}
const endOf = async (logFile: string) =>
  ` (${(await readFile(logFile, 'utf8')).trim().split('\n').slice(-3).join('; ').slice(-500)})`

/** Says which libraries of the system are missing, which the server's own message names one at a time. */
async function checkNeeded(name: string, path: string, user: OsUser | undefined): Promise<void> {
  if (process.platform !== 'linux') return
  const where = { cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' }, ...user }
  // It ends with an error when something is missing, and is not everywhere: the server has the last word.
  const said = await run('ldd', [path], where).then(
    ({ stdout, stderr }) => stdout + stderr,
    (error: { stdout?: string; stderr?: string }) => `${error.stdout ?? ''}${error.stderr ?? ''}`,
  )
  const missing = new Set(
    [...said.matchAll(/^\s*(\S+) => not found$|version `([^']+)' not found/gm)].map(
      ([, library, version]) => library ?? version,
    ),
  )
  if (missing.size > 0)
    throw new BuildError(
      `${name} needs ${[...missing].join(', ')}, which this machine does not have`,
    )
}
