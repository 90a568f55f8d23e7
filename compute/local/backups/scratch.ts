import { execFile } from 'node:child_process'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { changeOwner } from '#kit/postgres/cluster'
import type { OsUser } from '#kit/postgres/os-user'
import { killAllOf } from '#kit/postgres/processes'
import { startServer, stopServer } from '#kit/postgres/server'
import type { EachSubject } from '#kit/subjects'
import type { BackupKey } from '../../backups.ts'
import type { Folders } from '../folders.ts'
import type { Machine } from '../machine.ts'
import { firstAccessRules } from '../settings.ts'
import type { Admin } from './server-store.ts'

const run = promisify(execFile)

/** Replaying takes as long as there is to replay. */
const replayDeadlineMs = 6 * 60 * 60 * 1000

/** A server made from a backup where nobody can connect but the platform. */
export type Scratch = { home: string; dataDir: string; socket: string; user: OsUser | undefined }

/** Removes what an earlier attempt left there, with its processes. */
export async function clearScratch(machine: Machine, { home, dataDir, socket }: Scratch) {
  await stopServer(dataDir, { mode: 'immediate' })
  await killAllOf(dataDir)
  await machine.folders.removeSocket(socket)
  await machine.folders.discard(home)
}

/** What a crash left of backups that were being read back. */
export async function clearDrills(folders: Folders, each: EachSubject): Promise<void> {
  await each('drills', await readdir(folders.drills), String, async (name) => {
    const home = folders.drill(name)
    await stopServer(join(home, 'data'), { mode: 'immediate' })
    await killAllOf(join(home, 'data'))
    await folders.discard(home)
  })
}

/** The data directory of a backup, owned by its user; the superuser comes in without a password. */
export async function unpack(machine: Machine, key: BackupKey, scratch: Scratch): Promise<void> {
  const { home, dataDir, user } = scratch
  await clearScratch(machine, scratch)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const tar = machine.backups.files.tar(key)
  await run('tar', [
    '--extract',
    '--gzip',
    '--no-same-owner',
    '--file',
    tar,
    '--directory',
    dataDir,
  ])
  await writeFile(join(dataDir, 'pg_hba.conf'), firstAccessRules)
  await rm(join(dataDir, 'postmaster.pid'), { force: true })
  if (user) await changeOwner(home, user)
}

/** Starts it; `settings` say up to where WAL is replayed. Resolves once it has been, and rows can be read. */
export async function startScratch(
  machine: Machine,
  { home, dataDir, socket, user }: Scratch,
  settings: Record<string, string>,
): Promise<Admin> {
  const socketDir = await machine.folders.makeSocket(socket, user)
  const port = 5432
  await startServer({
    binaries: machine.runtime.binaries,
    dataDir,
    socketDir,
    port,
    tcp: false,
    settings: { archive_mode: 'off', hot_standby: 'off', ...settings },
    logFile: join(home, 'server.log'),
    user,
    deadlineMs: replayDeadlineMs,
  })
  return { host: socketDir, port, user: 'supabase_admin', password: '', database: 'postgres' }
}
