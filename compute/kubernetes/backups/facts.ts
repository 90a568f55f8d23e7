import { z } from 'zod'
import { UnknownBackupError, type BackupKey } from '../../provider.ts'
import { RowCount } from '../../local/backups/backup-files.ts'
import { isRef } from '../objects.ts'
import type { Bucket } from './bucket.ts'

/*
 * In the bucket, below its prefix:
 *   {ref}/plinth-{id}.json            a whole backup: which one of the plugin's it is, and what is known of it
 *   {ref}/plinth-removing-{id}.json   one that is being removed, or was when we were killed
 *   {ref}/{server}/base/{backupId}/   by the plugin: the files
 *   {ref}/{server}/wals/              by the plugin: what was written since
 */

const Facts = z.object({
  version: z.literal(1),
  /** By which the plugin knows it. */
  backupId: z.string().regex(/^[\w-]+$/),
  server: z.string().regex(/^[a-z0-9-]+$/),
  bytes: z.number(),
  takenAt: z.coerce.date(),
  /** The first WAL file that it needs. */
  beginWal: z.string().regex(/^[0-9A-F]{24}$/),
  maxConnections: z.int(),
  counts: z.array(RowCount),
})
export type Facts = z.infer<typeof Facts>
export type Known = Facts & { id: string }

const idPattern = /^\d{1,19}$/
const beginningOf = (ref: string) => `${checkedRef(ref)}/plinth-`
const keyOf = ({ ref, id }: BackupKey) => `${beginningOf(ref)}${checkedId(id)}.json`
const removingKeyOf = ({ ref, id }: BackupKey) =>
  `${beginningOf(ref)}removing-${checkedId(id)}.json`

function checkedRef(ref: string): string {
  if (!isRef(ref)) throw new TypeError(`"${ref}" is not a project ref`)
  return ref
}
export function checkedId(id: string): string {
  if (!idPattern.test(id)) throw new TypeError(`"${id}" is not the id of a backup`)
  return id
}

async function factsAt(bucket: Bucket, key: string): Promise<Facts | undefined> {
  const text = await bucket.read(key)
  return text === undefined ? undefined : Facts.parse(JSON.parse(text))
}
export const findFacts = (bucket: Bucket, key: BackupKey) => factsAt(bucket, keyOf(key))

/** @throws UnknownBackupError */
export async function getFacts(bucket: Bucket, key: BackupKey): Promise<Facts> {
  const facts = await findFacts(bucket, key)
  if (!facts) throw new UnknownBackupError(`There is no backup ${key.id} of project ${key.ref}`)
  return facts
}

/** From here on it is there. */
export const writeFacts = (bucket: Bucket, key: BackupKey, facts: Facts): Promise<void> =>
  bucket.write(keyOf(key), JSON.stringify(facts))

export async function idsOf(bucket: Bucket, ref: string): Promise<string[]> {
  const beginning = beginningOf(ref)
  const ids: string[] = []
  for await (const { key } of bucket.list(beginning)) {
    const id = key.slice(beginning.length).replace(/\.json$/, '')
    if (idPattern.test(id)) ids.push(id)
  }
  return ids.toSorted((a, b) => Number(a) - Number(b))
}

/** Oldest first. */
export async function allFacts(bucket: Bucket, ref: string): Promise<Known[]> {
  const found = await Promise.all(
    (await idsOf(bucket, ref)).map(async (id) => ({
      id,
      facts: await findFacts(bucket, { ref, id }),
    })),
  )
  return found
    .flatMap(({ id, facts }) => (facts ? [{ id, ...facts }] : []))
    .toSorted((a, b) => a.takenAt.getTime() - b.takenAt.getTime())
}

export const baseFolder = (
  ref: string,
  { server, backupId }: { server: string; backupId: string },
) => `${checkedRef(ref)}/${server}/base/${backupId}/`

export async function bytesOf(bucket: Bucket, folder: string): Promise<number> {
  let sum = 0
  for await (const { bytes } of bucket.list(folder)) sum += bytes
  return sum
}

/**
 * Removes a backup and what only it needs of the archive. What is known of it goes first, so nobody takes what is half removed for a
 * backup, and is kept aside until the rest has gone, so the next attempt finds it. `current`: what is archived to now.
 */
export async function removeBackup(
  bucket: Bucket,
  key: BackupKey,
  current: string | undefined,
): Promise<void> {
  const aside = removingKeyOf(key)
  const facts = await findFacts(bucket, key)
  if (facts) {
    await bucket.write(aside, JSON.stringify(facts))
    await bucket.remove([keyOf(key)])
  }
  const going = facts ?? (await factsAt(bucket, aside))
  if (!going) return
  await bucket.removeFolder(baseFolder(key.ref, going))
  await trim(bucket, key.ref, going.server, current)
  await bucket.remove([aside])
}

/** The file of WAL that an object is; undefined for others, such as the history of timelines. */
export const walOf = (key: string): string | undefined =>
  /\/([0-9A-F]{24})(?:\.[a-z0-9]+)?$/.exec(key)?.[1]

async function trim(
  bucket: Bucket,
  ref: string,
  server: string,
  current: string | undefined,
): Promise<void> {
  const left = (await allFacts(bucket, ref)).filter((one) => one.server === server)
  const [first] = left.map(({ beginWal }) => beginWal).toSorted()
  if (first === undefined) {
    // The first backup of what runs now may be under way.
    if (server !== current) await bucket.removeFolder(`${ref}/${server}/`)
    return
  }
  const gone: string[] = []
  for await (const { key } of bucket.list(`${ref}/${server}/wals/`)) {
    const wal = walOf(key)
    if (wal !== undefined && wal < first) gone.push(key)
  }
  await bucket.remove(gone)
}
