import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  mkdir,
  open,
  readdir,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { createLocalProvider } from '#compute/local/local'
import { stopAllServers } from '#compute/local/stop-all'
import type { Provider } from '#compute/provider'
import { openDatabase, type Db } from '#control-plane/platform-database/database'
import { specOf } from '#control-plane/projects/projects/spec'
import { projectStore } from '#control-plane/projects/projects/store'
import type { Config } from '#kit/config'
import { silentLog } from '#kit/log'
import { isMissing } from '#kit/postgres/files'
import { preparePostgres, type PostgresRuntime } from '#kit/postgres/runtime'
import { createSecrets } from '#kit/secrets'
import { platformUser, startPlatformCluster } from '../platform/platform-cluster.ts'
import { homeProblem, spaceProblem } from '../preflight.ts'
import { holdHome } from '../single.ts'
import { beforeRecords, newProjectSql, projectMigrations } from '../tenants.ts'
import { isForGood } from './kept-store.ts'
import type { Keys } from './keys.ts'
import { names, StateError, unfinishedRestore, type Manifest } from './layout.ts'
import { restoreObjects } from './objects.ts'
import { verifyBackup } from './verify.ts'

type Options = {
  config: Config
  from: string
  passphrase: string
  say: (line: string) => void
}
type Work = Options & { runtime: PostgresRuntime; manifest: Manifest; keys: Keys }

/** Whose the copies are for the provider, which restores a project from the backup of another one. */
const source = 'platformbackupsource'

/**
 * Makes the platform of a backup on an empty home, and leaves it stopped. Nothing is written before all of the backup was
 * read and is whole; what fails later leaves the home as empty as it was.
 * @throws StateError
 */
export async function restoreBackup(options: Options): Promise<void> {
  const { config, from, passphrase, say } = options
  const { home, storage } = config
  for (const folder of [home, ...(config.storageBucket ? [] : [storage])]) {
    if ((await entriesOf(folder)).length > 0) {
      throw new StateError(`${folder} is not empty: a platform is restored onto an empty folder`)
    }
  }
  if (config.platformDatabaseUrl !== undefined) {
    throw new StateError('PLATFORM_DATABASE_URL is set: a platform is restored with its own')
  }
  const { manifest, keys } = await verifyBackup(from, passphrase, say)
  if (manifest.objects === null && !config.storageBucket) {
    throw new StateError('what projects have stored lies in a bucket: set PLINTH_S3_BUCKET')
  }
  const problem = homeProblem(home) ?? spaceProblem(home)
  if (problem !== undefined) throw new StateError(problem)
  const held = await holdHome(home)
  if (!held) throw new StateError(`a platform runs on ${home}`)
  let runtime: PostgresRuntime | undefined
  try {
    await writeFile(unfinishedRestore(home), '', { mode: 0o600 })
    runtime = await preparePostgres(home)
    await fill({ ...options, runtime, manifest, keys })
    await rm(unfinishedRestore(home))
  } catch (error) {
    if (runtime) await stopAllServers(runtime, { home, log: silentLog })
    await empty(home, storage)
    throw error
  } finally {
    held.close()
  }
}

async function fill({ config, from, say, runtime, manifest, keys }: Work): Promise<void> {
  const { home, storage } = config
  const secret = { mode: 0o600, flag: 'wx' } as const
  await writeFile(join(home, 'master-key'), keys.masterKey, secret)
  await writeFile(join(home, 'platform-password'), keys.platformPassword, secret)
  await unpackPlatform(join(from, names.platform), runtime)
  for (const { ref } of manifest.objects ?? []) await restoreObjects(from, ref, storage)
  const cluster = await startPlatformCluster(home, runtime, say)
  try {
    const { db, pool } = openDatabase({ connectionString: cluster.url, max: 2 }, silentLog)
    try {
      await restoreProjects(db, { config, from, manifest, keys, say })
    } finally {
      await pool.end()
    }
  } finally {
    await stopAllServers(runtime, { home, log: silentLog })
    await cluster.stop()
  }
}

/** Each is made by the provider, as from a backup of its own: with a user, a port and settings of this machine. */
async function restoreProjects(
  db: Db,
  {
    config,
    from,
    manifest,
    keys,
    say,
  }: Pick<Work, 'config' | 'from' | 'manifest' | 'keys' | 'say'>,
): Promise<void> {
  const copies = join(config.home, 'restoring')
  await mkdir(join(copies, source), { recursive: true, mode: 0o700 })
  const provider = createLocalProvider({
    home: config.home,
    postgresDir: config.postgresDir,
    backups: copies,
    migrations: projectMigrations(config.outputPlugins),
    newProjectSql: newProjectSql(),
    beforeRecords: beforeRecords(config.outputPlugins),
    portRange: config.databasePorts,
    reach: config.databaseNetworks.ranges,
    log: silentLog,
    spares: 0,
  })
  const secrets = createSecrets(Buffer.from(keys.masterKey, 'hex'))
  const store = projectStore(db)
  try {
    for (const [index, { ref }] of manifest.projects.entries()) {
      const row = await store.findAny(ref)
      // Made after the platform's database was copied: nothing knows its passwords.
      if (!row || isForGood(row)) continue
      const id = String(index + 1)
      await symlink(resolve(from, 'projects', ref), join(copies, source, id))
      await restoreProject(provider, await specOf(secrets, row), id)
      await provider.setNetworks?.(ref, row.allowed_networks)
      await provider.setReadOnly(ref, row.restriction_status === 'restricted')
      await provider.stop(ref)
      say(`project ${ref} is restored`)
    }
  } finally {
    await provider.close()
    await rm(copies, { recursive: true, force: true })
  }
}

async function restoreProject(
  { backups }: Provider,
  spec: Awaited<ReturnType<typeof specOf>>,
  id: string,
): Promise<void> {
  if (!backups) throw new Error('This provider restores nothing')
  await backups.restore(spec, { ref: source, id }, 'restore of the platform')
}

/** By the user that the server runs as: whatever the file says, it reaches nothing of anybody else. */
async function unpackPlatform(file: string, { clusters }: PostgresRuntime): Promise<void> {
  const user = platformUser()
  const folder = join(clusters, 'platform')
  const data = join(folder, 'data')
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o711)
  await mkdir(data, { mode: 0o700 })
  if (user) await chown(data, user.uid, user.gid)
  const archive = await open(file)
  try {
    const child = spawn('tar', ['--extract', '--gzip', '--no-same-owner', '--directory', data], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      stdio: [archive.fd, 'ignore', 'pipe'],
      ...user,
    })
    const output = child.stderr ? text(child.stderr) : ''
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0) throw new StateError(`tar ended with ${code}: ${(await output).slice(-500)}`)
  } finally {
    await archive.close()
  }
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** The folders were empty before. The databases may lie elsewhere, where a link leads. */
async function empty(home: string, storage: string): Promise<void> {
  const clusters = join(home, 'clusters')
  const real = await realpath(clusters).catch(() => clusters)
  await rm(real, { recursive: true, force: true })
  for (const folder of [storage, home]) {
    for (const name of await entriesOf(folder))
      await rm(join(folder, name), { recursive: true, force: true })
  }
}
