import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { changeOwner, flushToDisk } from '#kit/postgres/cluster'
import { isMissing } from '#kit/postgres/files'
import type { OsUser } from '#kit/postgres/os-user'
import { killAllOf } from '#kit/postgres/processes'
import { startServer, stopServer } from '#kit/postgres/server'
import type { EachSubject } from '#kit/subjects'
import type { BackupKey } from '../../provider.ts'
import type { Admin } from '../admin-session.ts'
import { writeConfig } from '../config.ts'
import type { Machine } from '../machine.ts'
import { firstAccessRules, preloadSettings } from '../settings.ts'

/** Replaying takes as long as there is to replay. */
const replayDeadlineMs = 6 * 60 * 60 * 1000

/** A server made from a backup where nobody can connect but the platform. */
export type Scratch = {
  home: string
  dataDir: string
  socket: string
  user: OsUser | undefined
  /** Of the project that it is made for, whose size bounds it. */
  maxConnections: number
}

const configIn = (home: string) => join(home, 'config')

/** Removes what an earlier attempt left there, with its processes. */
export async function clearScratch(machine: Machine, { home, dataDir, socket }: Scratch) {
  await stopServer(dataDir, { mode: 'immediate' })
  await killAllOf(dataDir)
  await machine.containment.ended(socket)
  await machine.folders.removeSocket(socket)
  await machine.folders.discard(home)
}

/** Ends it in good order, and leaves its files on the disk. */
export async function settleScratch(machine: Machine, { dataDir, socket, user }: Scratch) {
  await stopServer(dataDir)
  await killAllOf(dataDir)
  await machine.containment.ended(socket)
  await machine.folders.removeSocket(socket)
  await flushToDisk(machine.runtime.binaries, dataDir, user)
}

/** What a crash left of backups that were being read back. */
export async function clearDrills(
  { folders, users }: Pick<Machine, 'folders' | 'users'>,
  each: EachSubject,
): Promise<void> {
  await each('drills', await readdir(folders.drills), String, async (name) => {
    const home = folders.drill(name)
    await stopServer(join(home, 'data'), { mode: 'immediate' })
    await killAllOf(join(home, 'data'))
    await users.end(await ownerOf(join(home, 'data')))
    await folders.discard(home)
  })
}

/** Nobody, where there is nothing yet or the platform owns it. */
async function ownerOf(dataDir: string): Promise<OsUser | undefined> {
  try {
    const { uid, gid } = await stat(dataDir)
    return { uid, gid }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** The data directory of a backup, owned by its user; the superuser comes in without a password. */
export async function unpack(machine: Machine, key: BackupKey, scratch: Scratch): Promise<void> {
  const { home, dataDir, user } = scratch
  await clearScratch(machine, scratch)
  // Its log is ours: only the data are given away.
  await mkdir(home, { recursive: true })
  await chmod(home, 0o711)
  await mkdir(dataDir, { mode: 0o700 })
  const tar = machine.backups.files.tar(key)
  if (user) await changeOwner(dataDir, user)
  await extract(tar, dataDir, user)
  await configureScratch(scratch)
  await rm(join(dataDir, 'postmaster.pid'), { force: true })
}

/** By the project's own user: whatever the archive says, it reaches no file of anybody else. */
async function extract(tar: string, into: string, user: OsUser | undefined): Promise<void> {
  const archive = await open(tar)
  try {
    const child = spawn('tar', ['--extract', '--gzip', '--no-same-owner', '--directory', into], {
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      stdio: [archive.fd, 'ignore', 'pipe'],
      ...user,
    })
    const output = child.stderr ? text(child.stderr) : ''
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0) throw new Error(`tar ended with ${code}: ${(await output).trim().slice(-500)}`)
  } finally {
    await archive.close()
  }
}

/** Only the platform comes in. */
export const configureScratch = ({ home, user }: Scratch): Promise<void> =>
  writeConfig(configIn(home), firstAccessRules, user)

/** Starts it; `settings` say up to where WAL is replayed. Resolves once it has been, and rows can be read. */
export async function startScratch(
  machine: Machine,
  { home, dataDir, socket, user, maxConnections }: Scratch,
  settings: Record<string, string>,
): Promise<Admin> {
  const socketDir = await machine.folders.makeSocket(socket, user)
  const port = 5432
  const { binaries, preload } = await machine.programs()
  await startServer({
    binaries,
    dataDir,
    configDir: configIn(home),
    socketDir,
    port,
    tcp: false,
    settings: { archive_mode: 'off', hot_standby: 'off', ...preloadSettings(preload), ...settings },
    logFile: join(home, 'server.log'),
    ...(await machine.containment.held({
      group: socket,
      maxConnections,
      user,
      writes: [dataDir, socketDir],
      reads: [binaries.native, home],
    })),
    deadlineMs: replayDeadlineMs,
  })
  return { host: socketDir, port, password: '' }
}
