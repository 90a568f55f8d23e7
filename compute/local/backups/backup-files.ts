import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isMissing, readIfExists, syncFolder, writeDurably } from '#kit/postgres/files'
import { UnknownBackupError, type BackupKey } from '../../provider.ts'
import { isRef } from '../folders.ts'

export const RowCount = z.object({
  database: z.string(),
  /** Quoted, with its schema. */
  table: z.string(),
  rows: z.number(),
  /** Differs once somebody has written to the table. */
  writes: z.string(),
})
export type RowCount = z.infer<typeof RowCount>

/** facts.json, beside base.tar.gz. */
const Facts = z.object({
  version: z.literal(1),
  bytes: z.number(),
  takenAt: z.coerce.date(),
  /** The first WAL file that it needs. */
  startWal: z.string(),
  /** The part of the archive that goes on from it; null: nothing was archived. */
  archive: z.string().nullable(),
  /** What the tables of the services were at (upgrade.ts). */
  upgrade: z.string().optional(),
  maxConnections: z.int(),
  counts: z.array(RowCount),
})
export type Facts = z.infer<typeof Facts>

/**
 * The folder of the backups:
 *   {ref}/{id}/base.tar.gz, facts.json   a whole backup
 *   {ref}/new-{id}                       one that is being made, or was when we were killed
 * All of it is the platform's own; servers never come here.
 */
export function createBackupFiles(top: string) {
  const of = (ref: string) => join(top, ref)
  const at = ({ ref, id }: BackupKey) => join(of(ref), checked(id))
  const factsOf = async (key: BackupKey): Promise<Facts | undefined> => {
    const text = await readIfExists(join(at(key), 'facts.json'))
    return text === undefined ? undefined : Facts.parse(JSON.parse(text))
  }
  const namesIn = (folder: string): Promise<string[]> =>
    readdir(folder).catch((error: unknown) => {
      if (isMissing(error)) return []
      throw error
    })
  const list = async (ref: string): Promise<string[]> => {
    const names = await namesIn(of(ref))
    return names.filter((name) => isId(name)).toSorted((a, b) => Number(a) - Number(b))
  }

  return {
    list,
    refs: async (): Promise<string[]> => (await namesIn(top)).filter((name) => isRef(name)),
    tar: (key: BackupKey) => join(at(key), 'base.tar.gz'),
    /** An empty folder to make one in. */
    async begin({ ref, id }: BackupKey): Promise<string> {
      const folder = join(of(ref), `new-${checked(id)}`)
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await chmod(top, 0o700)
      return folder
    },
    /** From here on it is there, also after a power cut. */
    async finish(key: BackupKey, folder: string, facts: Facts): Promise<void> {
      await writeDurably(join(folder, 'facts.json'), JSON.stringify(facts))
      await rename(folder, at(key))
      await syncFolder(of(key.ref))
    },
    find: factsOf,
    /** @throws UnknownBackupError */
    async get(key: BackupKey): Promise<Facts> {
      const facts = await factsOf(key)
      if (!facts) throw new UnknownBackupError(`There is no backup ${key.id} of project ${key.ref}`)
      return facts
    },
    /** Of all whole ones, oldest first. */
    async all(ref: string): Promise<(Facts & { id: string })[]> {
      const found = await Promise.all(
        (await list(ref)).map(async (id) => ({ id, facts: await factsOf({ ref, id }) })),
      )
      return found
        .flatMap(({ id, facts }) => (facts ? [{ id, ...facts }] : []))
        .toSorted((a, b) => a.takenAt.getTime() - b.takenAt.getTime())
    },
    /** Its name goes first, so that nobody takes what is half removed for a backup. */
    async remove({ ref, id }: BackupKey): Promise<void> {
      const away = join(of(ref), `new-${checked(id)}`)
      await rm(away, { recursive: true, force: true })
      await rename(at({ ref, id }), away).catch((error: unknown) => {
        if (!isMissing(error)) throw error
      })
      await rm(away, { recursive: true, force: true })
    },
    removeAll: (ref: string) => rm(of(ref), { recursive: true, force: true }),
    bytes: async (key: BackupKey): Promise<number> =>
      (await stat(join(at(key), 'base.tar.gz'))).size,
  }
}
export type BackupFiles = ReturnType<typeof createBackupFiles>

const isId = (name: string) => /^\d{1,19}$/.test(name)
function checked(id: string): string {
  if (!isId(id)) throw new TypeError(`"${id}" is not the id of a backup`)
  return id
}
