import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { rowsOf } from './access.ts'
import { NoBytesError } from './backends/backend.ts'
import { findBucket, type Bucket } from './buckets-store.ts'
import { noSuchBucket, noSuchKey } from './errors.ts'
import type { Copy, Move } from './input.ts'
import { checkKey } from './names.ts'
import {
  deleteObjects,
  findObject,
  lockKey,
  moveObject,
  type ObjectMetadata,
  type StoredObject,
  type Kept,
} from './objects-store.ts'
import { commit, keptOf, rehearse, type Storage } from './transfer/uploads.ts'
import { checkedType, checkMimeType } from './transfer/upload-limits.ts'
import { limitsOf } from './transfer/uploads.ts'

/** An object as the caller may see it. @throws StorageError */
export async function findFor(
  { access }: Storage,
  bucket: string,
  name: string,
  operation: string,
): Promise<StoredObject> {
  const [rows] = await access.asCaller({ operation, statements: [findObject(bucket, name)] })
  const [found] = rowsOf<StoredObject>(rows)
  if (!found) throw noSuchKey()
  return found
}

/** An object whatever policies say: of a public bucket, or by an address that somebody has signed. @throws StorageError */
export async function findAny(
  { access }: Storage,
  bucket: string,
  name: string,
  { onlyPublic }: { onlyPublic: boolean },
): Promise<StoredObject> {
  const [buckets, objects] = await access.asService({
    operation: 'storage.object.get_public',
    statements: [findBucket(bucket), findObject(bucket, name)],
  })
  const [found] = rowsOf<Bucket>(buckets)
  if (!found || (onlyPublic && !found.public)) throw noSuchBucket()
  const [object] = rowsOf<StoredObject>(objects)
  if (!object) throw noSuchKey()
  return object
}

export async function isPublic({ access }: Storage, bucket: string): Promise<boolean> {
  const [rows] = await access.asService({
    operation: 'storage.bucket.get',
    statements: [findBucket(bucket)],
  })
  return rowsOf<Bucket>(rows)[0]?.public === true
}

/** Those that there were and the caller may delete. Their bytes stay with their rows in the trash. */
export async function removeObjects(
  { access }: Storage,
  bucket: string,
  names: readonly string[],
  operation: string,
): Promise<StoredObject[]> {
  const [rows] = await access.asCaller({
    operation,
    deletes: true,
    statements: [deleteObjects(bucket, names)],
  })
  return rowsOf<StoredObject>(rows)
}

/** A new name for the same bytes. @throws StorageError */
export async function moveTo(
  { access }: Storage,
  ask: z.infer<typeof Move>,
): Promise<StoredObject> {
  const from = { bucket: ask.bucketId, name: ask.sourceKey }
  const to = { bucket: ask.destinationBucket ?? ask.bucketId, name: ask.destinationKey }
  checkKey(to.name, { folders: from.name.endsWith('/') })
  const [, rows] = await access.asCaller({
    operation: 'storage.object.move',
    statements: [lockKey(to.bucket, to.name), moveObject(from, to)],
  })
  const [moved] = rowsOf<StoredObject>(rows)
  if (!moved) throw noSuchKey()
  return moved
}

type CopyAsk = z.infer<typeof Copy> & {
  upsert: boolean
  folders?: boolean
  /** Of new metadata. */
  kept?: Kept | undefined
  /** Looks at the source before anything is copied. */
  check?: (source: StoredObject) => void
  userMetadata?: Record<string, unknown> | null | undefined
}

/** @throws StorageError */
export async function copyTo(storage: Storage, ask: CopyAsk): Promise<StoredObject> {
  const { backend, ref } = storage
  const operation = 'storage.object.copy'
  const bucket = ask.destinationBucket ?? ask.bucketId
  const folders = ask.folders ?? ask.sourceKey.endsWith('/')
  const target = { bucket, name: ask.destinationKey, upsert: ask.upsert, operation, folders }
  checkKey(target.name, target)
  const source = await findFor(storage, ask.bucketId, ask.sourceKey, operation)
  if (source.version === null) throw noSuchKey()
  ask.check?.(source)
  const metadata = copiedMetadata(source, ask)
  checkMimeType(metadata.mimetype, await limitsOf(storage, bucket))
  await rehearse(storage, target, metadata.mimetype)
  const version = randomUUID()
  try {
    await backend.copy({ ref, version: source.version }, { ref, version })
  } catch (error) {
    throw error instanceof NoBytesError ? noSuchKey() : error
  }
  const kept = ask.copyMetadata ? source.user_metadata : null
  const userMetadata = ask.userMetadata === undefined ? kept : ask.userMetadata
  return commit(storage, target, { version, metadata, userMetadata })
}

function copiedMetadata({ metadata }: StoredObject, ask: CopyAsk): ObjectMetadata {
  const size = metadata?.size ?? 0
  const mimetype = metadata?.mimetype ?? 'application/octet-stream'
  const cacheControl = metadata?.cacheControl ?? 'no-cache'
  const replacement = ask.copyMetadata ? undefined : ask.metadata
  return {
    ...keptOf((ask.copyMetadata ? metadata : ask.kept) ?? {}),
    // The bytes are the same, and so is the ETag, which tells how many parts there are.
    ...(metadata?.partSizes && { partSizes: metadata.partSizes }),
    eTag: metadata?.eTag ?? '',
    size,
    contentLength: size,
    httpStatusCode: 200,
    lastModified: new Date().toISOString(),
    mimetype: replacement?.mimetype === undefined ? mimetype : checkedType(replacement.mimetype),
    cacheControl: replacement?.cacheControl ?? cacheControl,
  }
}
