import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { locateBinaries } from '#kit/postgres/binaries'
import { withClient } from '#kit/postgres/client'
import { initCluster } from '#kit/postgres/cluster'
import { readIfExists } from '#kit/postgres/files'
import { namedUnprivilegedUser, runsAsRoot } from '#kit/postgres/os-user'
import { runnableBinaries } from '#kit/postgres/runtime'
import { scramVerifier } from '#kit/postgres/scram'
import { signal } from '#kit/postgres/processes'
import {
  startServer,
  stopServer,
  type RunningServer,
  type StartOptions,
} from '#kit/postgres/server'
import type {} from './postgres.ts'
import { ownTestFolder, removeStaleTestFolders, testFolderPrefix } from './stale-servers.ts'
import { freePort } from './free-port.ts'

const dataPlane = fileURLToPath(new URL('../../data-plane/', import.meta.url))

/**
 * Starts the throw-away server of this run: its own folder, port and password, nothing flushed to disk.
 * Ends it afterwards; a run that was killed is cleaned up by the next one.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeStaleTestFolders()
  const user = runsAsRoot() ? await namedUnprivilegedUser() : undefined
  const binaries = await runnableBinaries(await locateBinaries(), undefined, user)
  const folder = await mkdtemp(testFolderPrefix)
  await ownTestFolder(folder)
  await chmod(folder, 0o711)
  const [dataDir, socketDir] = [join(folder, 'data'), join(folder, 's')]
  await mkdir(socketDir, { mode: 0o700 })
  if (user) await chown(socketDir, user.uid, user.gid)
  const password = randomBytes(24).toString('hex')
  await initCluster({
    binaries,
    dataDir,
    superuser: 'supabase_admin',
    password,
    user,
    noSync: true,
  })
  const logFile = join(folder, 'server.log')
  const server = { binaries, dataDir, socketDir, tcp: true, settings, logFile, user }
  const { pid, port } = await startOnFreePort(server)
  const endWithProcess = () => signal(pid, 'SIGQUIT')
  process.once('exit', endWithProcess)
  await makeTemplate({ host: socketDir, port, user: 'supabase_admin', password })
  project.provide('testServer', { socketDir, port, password })
  return async () => {
    process.off('exit', endWithProcess)
    await stopServer(dataDir, { mode: 'immediate' })
    await rm(folder, { recursive: true, force: true })
  }
}

const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'logical',
  max_connections: '300',
  max_replication_slots: '50',
  max_wal_senders: '50',
  shared_preload_libraries: 'pg_stat_statements',
  search_path: '"$user", public, extensions',
}

/** Another run may take the port between the look and the start, so a failed start is tried on another one. */
async function startOnFreePort(server: Omit<StartOptions, 'port'>): Promise<RunningServer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startServer({ ...server, port: await freePort() })
    } catch (error) {
      if (attempt === 3) throw error
    }
  }
}

type Admin = { host: string; port: number; user: string; password: string }

async function makeTemplate(admin: Admin): Promise<void> {
  await withClient({ ...admin, database: 'postgres' }, async (client) => {
    await client.query('create database template_project')
  })
  await withClient({ ...admin, database: 'template_project' }, async (client) => {
    for (const sql of await projectSql()) await client.query(sql)
    const verifier = await scramVerifier(admin.password)
    const roles =
      "select format('alter role %I password %L', rolname, $1::text) as sql from pg_roles"
    const logins = await client.query(`${roles} where rolcanlogin`, [verifier])
    for (const { sql } of logins.rows) await client.query(String(sql))
  })
}

/**
 * The same files, in the same order, that a new project is made from, without what it chooses (data-plane/schema-new): a
 * choice is made for the whole server, and here all databases of a run share one.
 */
async function projectSql(): Promise<string[]> {
  const schema = (await readdir(join(dataPlane, 'schema')))
    .filter((f) => f.endsWith('.sql'))
    .toSorted()
  const auth = ['schema.sql', 'external-schema.sql', 'identity-schema.sql', 'list-indexes.sql'].map(
    (f) => join('auth', f),
  )
  const files = [...schema.map((f) => join('schema', f)), ...auth]
  return Promise.all(files.map(async (f) => (await readIfExists(join(dataPlane, f))) ?? ''))
}
