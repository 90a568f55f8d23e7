import { createReadStream } from 'node:fs'
import { findRunning } from '#kit/postgres/server'
import { UnknownProjectError, type DatabaseAddress, type Backups } from '../../provider.ts'
import type { Machine } from '../machine.ts'
import { userOf } from '../registry.ts'
import { startProject, stopProject } from '../run.ts'
import { beginPart, endPart, trimArchive, windowsOf } from './archive.ts'
import { checkBackup } from './check.ts'
import { makeBackup } from './make.ts'
import { restoreProject } from './restore.ts'

type Within = {
  machine: () => Promise<Machine>
  /** One thing after the other for a project's server. */
  forProject: <T>(ref: string, work: (machine: Machine) => Promise<T>) => Promise<T>
}

/** Making and reading back go beside whatever else is done with a project, and fail when its server ends meanwhile. */
export function localBackups({ machine, forProject }: Within): Backups {
  return {
    make: async (key, password) => makeBackup(await machine(), key, password),
    check: async (key, password) => checkBackup(await machine(), key, password),
    async read(key) {
      const { files } = (await machine()).backups
      const { bytes } = await files.get(key)
      return { stream: createReadStream(files.tar(key)), bytes }
    },
    async remove(key) {
      await (await machine()).backups.files.remove(key)
      // In turn: a part that is just being begun is nobody's yet.
      await forProject(key.ref, (m) => trimArchive(m, key.ref))
    },
    refs: async () => (await machine()).backups.files.refs(),
    async facts(key) {
      const { bytes, takenAt } = await (await machine()).backups.files.get(key)
      return { bytes, takenAt }
    },
    list: async (ref) => (await machine()).backups.files.list(ref),
    restore: (spec, ...how) => forProject(spec.ref, (m) => restoreProject(m, spec, ...how)),
    setArchive: (ref, on) => forProject(ref, (m) => setArchive(m, ref, on)),
    windows: async (ref) => windowsOf(await machine(), ref),
  }
}

async function setArchive(
  machine: Machine,
  ref: string,
  on: boolean,
): Promise<DatabaseAddress | undefined> {
  const { registry, folders } = machine
  const record = registry.get(ref)
  if (!record?.ready) throw new UnknownProjectError(ref)
  const server = await findRunning(folders.data(ref))
  if ((record.archive !== undefined) === on)
    return server && { socketDir: server.socketDir, port: server.port }
  const part = on ? await beginPart(machine, ref, userOf(record)) : undefined
  // A server that stops in good order archives all that it has written.
  if (server) await stopProject(machine, ref, { forLong: false })
  if (record.archive !== undefined) await endPart(machine, ref, record.archive)
  await registry.save(ref, { ...record, archive: part })
  return server && startProject(machine, ref)
}
