import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { changeOwner, flushToDisk, initCluster } from '#kit/postgres/cluster'
import { exists, syncFolder, writeDurably } from '#kit/postgres/files'
import type { OsUser } from '#kit/postgres/os-user'
import { keyOf, migrate, type Migration } from '#kit/postgres/migrations'
import type { PostgresRuntime } from '#kit/postgres/runtime'
import { startServer, stopServer } from '#kit/postgres/server'
import { checkpoint, removeUnusedWal } from '#kit/postgres/wal'
import { withAdmin } from './admin-session.ts'
import type { Folders } from './folders.ts'
import { writeConfig } from './config.ts'
import { recordsTable } from './expected-roles.ts'
import { objectsQuery, platformObjects } from './platform-objects.ts'
import { accessRules, configText, firstAccessRules, serverSettings } from './settings.ts'

const run = promisify(execFile)

export type TemplateOptions = {
  runtime: PostgresRuntime
  folders: Folders
  migrations: readonly Migration[]
  newProjectSql: readonly string[]
  /** Owns the template while it is made; undefined where we are not root. */
  user: OsUser | undefined
  /** Nobody waits for it any more. */
  signal: AbortSignal
}

/**
 * A stopped cluster with everything a new project has but passwords. `key` names exactly this content; `objects` are those of
 * the platform in it (platform-objects.ts).
 */
export type Template = { key: string; dataDir: string; objects: readonly string[] }

/**
 * The template for this SQL, these settings and these programs, made if it does not exist. It is built under another
 * name and renamed when whole and on disk, so a template that is there is good. Older ones are removed.
 * @throws the signal's reason when that comes first; nothing of it is left then
 */
export async function prepareTemplate(options: TemplateOptions): Promise<Template> {
  const { folders, runtime } = options
  const key = templateKey(options)
  const home = join(folders.templates, key)
  for (const name of await readdir(folders.templates))
    if (name !== key) await discardCluster(folders, join(folders.templates, name))
  const [dataDir, listed] = [join(home, 'data'), join(home, 'objects.json')]
  const made = async () => ({
    key,
    dataDir,
    objects: z.array(z.string()).parse(JSON.parse(await readFile(listed, 'utf8'))),
  })
  if (await exists(dataDir)) return made()
  const building = join(folders.templates, `new-${randomBytes(6).toString('hex')}`)
  await mkdir(building, { mode: 0o711 })
  try {
    await build(options, building)
    await flushToDisk(runtime.binaries, join(building, 'data'), options.user)
    await rename(building, home)
    await syncFolder(folders.templates)
  } catch (error) {
    await discardCluster(folders, building)
    throw error
  }
  return made()
}

/** A backup holds the data directory, and who runs it on another machine needs these files. */
const elsewhere = '# Not read by the platform, which keeps its own beside the data directory.\n'

async function build(options: TemplateOptions, home: string): Promise<void> {
  const { runtime, folders, user, signal } = options
  const { binaries } = runtime
  const [dataDir, configDir] = [join(home, 'data'), join(home, 'config')]
  const logFile = join(home, 'server.log')
  // Nobody learns this password: each project gets one of its own before anyone can connect.
  const password = randomBytes(32).toString('base64url')
  const superuser = 'supabase_admin'
  const size = { walSegmentMb: 1, noSync: true }
  await initCluster({ binaries, dataDir, superuser, password, user, signal, ...size })
  await writeFile(join(dataDir, 'postgresql.conf'), elsewhere + configText(serverSettings))
  await writeFile(join(dataDir, 'pg_hba.conf'), elsewhere + accessRules())
  await writeFile(join(dataDir, 'pg_ident.conf'), elsewhere)
  await writeConfig(configDir, firstAccessRules, user)
  if (user) await changeOwner(dataDir, user)
  const socketDir = await folders.makeSocket('template', user)
  let currentWal = ''
  try {
    await startServer({
      binaries,
      dataDir,
      configDir,
      socketDir,
      port: 5432,
      tcp: false,
      logFile,
      user,
    })
    const admin = { host: socketDir, port: 5432, password: '' }
    await withAdmin(admin, 'project sql', async (client) => {
      await migrate(client, options.migrations, { table: recordsTable })
      for (const sql of options.newProjectSql) {
        signal.throwIfAborted()
        await client.query(sql)
      }
      await writeDurably(join(home, 'objects.json'), JSON.stringify(await platformObjects(client)))
      currentWal = await checkpoint(client)
    })
  } finally {
    await stopServer(dataDir)
    await folders.removeSocket('template')
  }
  await removeUnusedWal(dataDir, currentWal)
}

/** Copies a stopped cluster; shares the blocks where the file system can. `cp` is several times faster than we are. */
export async function copyCluster(from: string, to: string, user: OsUser | undefined) {
  const reflink = process.platform === 'linux' ? ['--reflink=auto'] : []
  await run('cp', ['-a', ...reflink, '--', from, to])
  if (user) await changeOwner(to, user)
}

/** Removes a cluster's folder and whatever an interrupted attempt left running in it. */
export async function discardCluster(folders: Folders, home: string): Promise<void> {
  await stopServer(join(home, 'data'), { mode: 'immediate' })
  await folders.discard(home)
}

function templateKey({ migrations, newProjectSql, runtime }: TemplateOptions): string {
  const parts = [
    runtime.binaries.version,
    elsewhere,
    configText(serverSettings),
    accessRules(),
    firstAccessRules,
    objectsQuery,
    keyOf(migrations),
    ...newProjectSql,
  ]
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:${part}`)
  return hash.digest('hex').slice(0, 16)
}
