import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { failpoint } from '#kit/failpoints'
import { findRunning } from '#kit/postgres/server'
import { UnknownProjectError, type BackupFacts, type BackupKey } from '../../provider.ts'
import type { Admin } from '../admin-session.ts'
import type { Machine } from '../machine.ts'
import type { RowCount } from './backup-files.ts'
import {
  countRows,
  segmentSize,
  storedTables,
  streamBaseBackup,
  walFileOf,
} from './server-store.ts'

/** A server comes up again with the platform, and a backup that is due then waits for it so long: the next one is a day away. */
const comesUpMs = 30_000

async function waitForServer(dataDir: string): Promise<void> {
  const end = performance.now() + comesUpMs
  while ((await findRunning(dataDir))?.ready !== true && performance.now() < end) await delay(100)
}

/** How the superuser comes into a project's running server. */
export async function adminOf(machine: Machine, ref: string, password: string): Promise<Admin> {
  const server = await findRunning(machine.folders.data(ref))
  if (!server) throw new Error(`The server of ${ref} does not run`)
  const { socketDir: host, port } = server
  return { host, port, password }
}

/** Copies a running server into a file, with what is needed to see later whether the copy is good. */
export async function makeBackup(
  machine: Machine,
  key: BackupKey,
  password: string,
): Promise<BackupFacts> {
  const { files } = machine.backups
  const record = machine.registry.get(key.ref)
  if (!record?.ready) throw new UnknownProjectError(key.ref)
  const made = await files.find(key)
  if (made) return { bytes: made.bytes, takenAt: made.takenAt }
  await waitForServer(machine.folders.data(key.ref))
  const admin = await adminOf(machine, key.ref, password)
  const folder = await files.begin(key)
  const before = await storedTables(admin)
  const tar = join(folder, 'base.tar.gz')
  const { start, timeline } = await copyInto(tar, admin)
  const takenAt = new Date()
  failpoint('compute.backup.copied')
  const rows = await countRows(admin, before, { deep: false })
  const counts = before.flatMap(({ database, table, writes }, i): RowCount[] => {
    const count = rows[i]
    return count === undefined ? [] : [{ database, table, rows: count, writes }]
  })
  const { size: bytes } = await stat(tar)
  // One that was switched on or off meanwhile does not have all that follows.
  const isSame = machine.registry.get(key.ref)?.archive === record.archive
  await files.finish(key, folder, {
    version: 1,
    bytes,
    takenAt,
    startWal: walFileOf(start, timeline, await segmentSize(admin)),
    archive: (isSame && record.archive) || null,
    upgrade: record.upgrade,
    maxConnections: record.maxConnections,
    counts,
  })
  return { bytes, takenAt }
}

async function copyInto(path: string, admin: Admin) {
  const file = createWriteStream(path, { mode: 0o600, highWaterMark: 1024 * 1024 })
  const written = finished(file)
  // Awaited below; a full disk also ends the copy, which then tells of it.
  written.catch(() => undefined)
  try {
    const begun = await streamBaseBackup(admin, (chunk) =>
      file.write(chunk) ? undefined : once(file, 'drain').then(() => undefined),
    )
    file.end()
    await written
    const handle = await open(path)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    return begun
  } finally {
    file.destroy()
  }
}
