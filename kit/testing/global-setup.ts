import { randomBytes } from 'node:crypto'
import { chown, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { makeTemplateHome, removeHome } from '#compute/testing/template-home'
import { locateBinaries } from '#kit/postgres/binaries'
import { initCluster } from '#kit/postgres/cluster'
import { namedUnprivilegedUser, runsAsRoot } from '#kit/postgres/os-user'
import { runnableBinaries } from '#kit/postgres/runtime'
import { withTrustedExtensions } from '#kit/postgres/trusted-extensions'
import { signal } from '#kit/postgres/processes'
import {
  startServer,
  stopServer,
  type RunningServer,
  type StartOptions,
} from '#kit/postgres/server'
import type {} from './postgres.ts'
import { makePlatformTemplate, makeProjectTemplate } from './templates.ts'
import { makeRunFolder, removeStaleRunFolders } from './run-folder.ts'
import { freePort } from './free-port.ts'

/**
 * Starts the throw-away server of this run: its own folder, port and password, nothing flushed to disk. What tests copy is
 * made once, here: both kinds of database, and the stopped cluster that new projects begin with.
 * Ends it afterwards; a run that was killed is cleaned up by the next one.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeStaleRunFolders()
  const folder = await makeRunFolder()
  const templateHome = join(folder, 'template')
  // Each waits for its own programs more than for a processor.
  const [server, templates] = await Promise.all([
    startTestServer(folder),
    makeTemplateHome(templateHome),
  ])
  const { stop, ...connection } = server
  project.provide('testServer', { ...connection, folder, templateHome, templates })
  return async () => {
    await stop()
    await removeHome(templateHome)
    await rm(folder, { recursive: true, force: true })
  }
}

async function startTestServer(folder: string) {
  const user = runsAsRoot() ? await namedUnprivilegedUser() : undefined
  const installed = await runnableBinaries(await locateBinaries(), undefined, user)
  const binaries = await withTrustedExtensions(installed, join(folder, 'bin'), user)
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
  const admin = { host: socketDir, port, user: 'supabase_admin', password }
  await makeProjectTemplate(admin)
  await makePlatformTemplate(admin)
  return {
    socketDir,
    port,
    password,
    async stop(): Promise<void> {
      process.off('exit', endWithProcess)
      await stopServer(dataDir, { mode: 'immediate' })
    },
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
  // Hundreds of databases share this server: at the default of 5,000 the statements of one test push out those of another.
  'pg_stat_statements.max': '100000',
  'pg_stat_statements.track_utility': 'off',
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
