import type { StorageRound, StorageRoundDone } from '#contract/storage/storage-jobs'
import { rowsOf } from './access.ts'
import { endUploads, getBucket } from './buckets.ts'
import { StorageError } from './errors.ts'
import { listLevel, type Listed } from './list-store.ts'
import { checkKey } from './names.ts'
import { copyTo, findFor, moveTo, removeObjects } from './objects.ts'
import { moveObjects } from './objects-store.ts'
import type { Storage } from './transfer/uploads.ts'

/** Objects of one round: few enough that a round is over before anybody doubts it. */
const atOnce = { remove: 1000, move: 500, copy: 50 }
/** Of these, as many at a time. */
const beside = 8
const operations = {
  remove: 'storage.object.delete_many',
  move: 'storage.object.move',
  copy: 'storage.object.copy',
}

/**
 * Does a part of a job and says how far it has come. A round that is done twice, because nobody heard of the first time,
 * finds what is done and leaves it so. @throws StorageError where none of it can be done, as for a bucket that is gone
 */
export async function runRound(storage: Storage, round: StorageRound): Promise<StorageRoundDone> {
  const { kind, bucket, item } = round
  await getBucket(storage, bucket)
  if (round.to_bucket) await getBucket(storage, round.to_bucket)
  const isFolder = item.from === '' || item.from.endsWith('/')
  const max = atOnce[kind]
  const names = isFolder ? await namesBelow(storage, round, max) : [item.from]
  const outcomes =
    kind === 'remove' ? await remove(storage, bucket, names) : await each(storage, round, names)
  const goesOn = isFolder && names.length === max
  if (kind === 'remove' && item.from === '' && !goesOn) await endUploads(storage, bucket)
  return { ...outcomes, after: goesOn ? (names.at(-1) ?? null) : null }
}

async function namesBelow(
  storage: Storage,
  { kind, bucket, item, after }: StorageRound,
  max: number,
) {
  const [rows] = await storage.access.asService({
    operation: operations[kind],
    statements: [
      listLevel({ bucket, prefix: item.from, delimiter: '', after, max, descending: false }),
    ],
  })
  return rowsOf<Listed>(rows).map(({ name }) => name)
}

async function remove(storage: Storage, bucket: string, names: readonly string[]) {
  if (names.length > 0) await removeObjects(storage, bucket, names, operations.remove)
  return { done: names.length, failed: 0 }
}

async function each(storage: Storage, round: StorageRound, names: readonly string[]) {
  const { item } = round
  if (round.kind === 'move' && (await movedTogether(storage, round, names)))
    return { done: names.length, failed: 0 }
  let [done, failed] = [0, 0]
  for (let start = 0; start < names.length; start += beside) {
    const part = names.slice(start, start + beside)
    const outcomes = await Promise.all(
      part.map((name) => {
        const to = (item.to ?? '') + name.slice(item.from.length)
        return one(storage, round, name, to)
      }),
    )
    done += outcomes.filter(Boolean).length
    failed += outcomes.filter((isDone) => !isDone).length
  }
  return { done, failed }
}

/** By one statement; false when something is in the way, so that each has to be looked at. */
async function movedTogether(
  storage: Storage,
  { bucket, to_bucket: target, item }: StorageRound,
  names: readonly string[],
): Promise<boolean> {
  const targets = names.map((name) => (item.to ?? '') + name.slice(item.from.length))
  try {
    for (const name of targets) checkKey(name, { folders: true })
    const to = { bucket: target ?? bucket, names: targets }
    await storage.access.asService({
      operation: operations.move,
      statements: [moveObjects({ bucket, names }, to)],
    })
    return true
  } catch (error) {
    if (error instanceof StorageError && error.status < 500) return false
    throw error
  }
}

/** False: it stays where it is. */
async function one(storage: Storage, round: StorageRound, from: string, to: string) {
  const { kind, bucket, to_bucket: target } = round
  const ask = { bucketId: bucket, sourceKey: from, destinationKey: to, destinationBucket: target }
  try {
    if (kind === 'move') await moveTo(storage, ask)
    else await copyTo(storage, { ...ask, copyMetadata: true, upsert: false })
    return true
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    if (error.status >= 500) throw error
    // Moved by the round before that nobody heard of, or deleted meanwhile.
    if (error.code === 'NoSuchKey' && kind === 'move') return true
    if (error.code === 'KeyAlreadyExists' && kind === 'copy') return isCopy(storage, ask)
    return false
  }
}

type Ask = {
  bucketId: string
  sourceKey: string
  destinationKey: string
  destinationBucket: string | null
}

async function isCopy(storage: Storage, ask: Ask): Promise<boolean> {
  const bucket = ask.destinationBucket ?? ask.bucketId
  const [source, target] = await Promise.all([
    findFor(storage, ask.bucketId, ask.sourceKey, operations.copy),
    findFor(storage, bucket, ask.destinationKey, operations.copy),
  ])
  const { eTag, size } = source.metadata ?? {}
  return target.metadata?.eTag === eTag && target.metadata?.size === size
}
