import { chown, cp, mkdir, readdir, rm } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { changeOwner } from '#kit/postgres/cluster'
import { isMissing, readForeign, writeDurably } from '#kit/postgres/files'
import type { OsUser } from '#kit/postgres/os-user'
import type { ArchiveWindow } from '../../provider.ts'
import type { Machine } from '../machine.ts'

/*
 * {project}/archive/{part}/{WAL file}.gz   what the server has finished writing; `ended` says when the part did
 * A part begins when archiving is switched on, and after each restore: what comes then is another history.
 */

const isWalFile = (name: string) => /^[0-9A-F]{24}$/.test(name)
const archivedName = (name: string) => name.replace(/\.gz$/, '')

const folderOf = ({ folders }: Machine, ref: string, part: string) =>
  join(folders.archive(ref), part)

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
}

/** What a server that archives is started with. */
export function archiveSettings(machine: Machine, ref: string, part: string) {
  const folder = folderOf(machine, ref, part)
  const into = (ending: string) => fileIn(folder, ending)
  return {
    archive_mode: 'on',
    // A file has its name only when it is whole and on disk.
    archive_command: `gzip -1 <"%p" >${into('.new')} && sync ${into('.new')} && mv ${into('.new')} ${into('.gz')}`,
    // Seconds of work that may be lost with the disk of the data.
    archive_timeout: '60s',
  }
}

/** The WAL file that Postgres puts for `%f`, in a folder whose name may hold what the shell or Postgres reads otherwise. */
const fileIn = (folder: string, ending: string) =>
  `'${folder.replaceAll('%', '%%').replaceAll("'", "'\\''")}/%f${ending}'`

/** Makes a part that its server can write to. */
export async function beginPart(machine: Machine, ref: string, user: OsUser | undefined) {
  const part = `${Date.now()}-${randomBytes(4).toString('hex')}`
  const folder = folderOf(machine, ref, part)
  await mkdir(folder, { recursive: true, mode: 0o711 })
  if (user) await chown(folder, user.uid, user.gid)
  return part
}

/** Nothing is added to it from now on. */
export async function endPart(machine: Machine, ref: string, part: string): Promise<void> {
  const file = join(folderOf(machine, ref, part), 'ended')
  if ((await readForeign(file)) === undefined) await writeDurably(file, new Date().toISOString())
}

async function endOf(machine: Machine, ref: string, part: string): Promise<Date | undefined> {
  const text = await readForeign(join(folderOf(machine, ref, part), 'ended'))
  return text === undefined ? undefined : new Date(text)
}

/** From the first backup of each part until the part ended. */
export async function windowsOf(machine: Machine, ref: string): Promise<ArchiveWindow[]> {
  const windows: ArchiveWindow[] = []
  const seen = new Set<string>()
  for (const { archive, takenAt } of await machine.backups.files.all(ref)) {
    if (archive === null || seen.has(archive)) continue
    seen.add(archive)
    windows.push({ from: takenAt, to: await endOf(machine, ref, archive) })
  }
  return windows
}

/** The newest backup from which the archive leads to the moment. */
export async function backupBefore(
  machine: Machine,
  ref: string,
  until: Date,
): Promise<string | undefined> {
  const all = await machine.backups.files.all(ref)
  for (const { id, archive, takenAt } of all.toReversed()) {
    if (archive === null || takenAt > until) continue
    const end = await endOf(machine, ref, archive)
    return end === undefined || until <= end ? id : undefined
  }
  return undefined
}

/** Removes what no backup that is left leads to. */
export async function trimArchive(machine: Machine, ref: string): Promise<void> {
  const all = await machine.backups.files.all(ref)
  const current = machine.registry.get(ref)?.archive
  for (const part of await namesIn(machine.folders.archive(ref))) {
    const folder = folderOf(machine, ref, part)
    const needed = all.filter(({ archive }) => archive === part).map(({ startWal }) => startWal)
    if (needed.length === 0) {
      // The first backup of the present part may be under way.
      if (part !== current) await rm(folder, { recursive: true, force: true })
      continue
    }
    const first = needed.toSorted()[0] ?? ''
    for (const name of await namesIn(folder)) {
      if (isWalFile(archivedName(name)) && archivedName(name) < first) await rm(join(folder, name))
    }
  }
}

/**
 * Puts the WAL from a file on into a folder: what is archived, and of a part that goes on also what its server has
 * written since. A file that is being written to is taken as it is; replaying ends where it does.
 */
export async function gatherWal(
  machine: Machine,
  from: { ref: string; part: string; startWal: string },
  into: string,
  user: OsUser | undefined,
): Promise<void> {
  await mkdir(into, { recursive: true, mode: 0o700 })
  const folder = folderOf(machine, from.ref, from.part)
  if (machine.registry.get(from.ref)?.archive === from.part) {
    // These first: what is archived and recycled meanwhile is found in the archive then.
    const live = join(machine.folders.data(from.ref), 'pg_wal')
    for (const name of await namesIn(live)) {
      if (isWalFile(name) && name >= from.startWal)
        await copyIfThere(join(live, name), join(into, name))
    }
  }
  for (const name of await namesIn(folder)) {
    const wal = archivedName(name)
    if (!name.endsWith('.gz') || !isWalFile(wal) || wal < from.startWal) continue
    await cp(join(folder, name), join(into, name))
    await rm(join(into, wal), { force: true })
  }
  if (user) await changeOwner(into, user)
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await cp(from, to).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
}

/** What a server that replays gathered WAL is started with. */
export function replaySettings(folder: string, until: Date | undefined): Record<string, string> {
  const file = fileIn(folder, '')
  const packed = fileIn(folder, '.gz')
  return {
    restore_command: `if test -f ${packed}; then gunzip -c <${packed} >"%p"; else cp ${file} "%p"; fi`,
    recovery_target_timeline: 'current',
    recovery_target_action: 'promote',
    ...(until
      ? { recovery_target_time: until.toISOString().replace('T', ' ').replace('Z', '+00') }
      : {}),
  }
}
