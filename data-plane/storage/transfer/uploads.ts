import { randomUUID } from 'node:crypto'
import type { Log } from '#kit/log'
import type { Statement } from '../../projects/transaction.ts'
import type { Access } from '../access.ts'
import { rowsOf, subjectOf } from '../access.ts'
import type { Backend } from '../backends/backend.ts'
import { findBucket, type Bucket } from '../buckets-store.ts'
import { noSuchBucket, preconditionFailed, StorageError } from '../errors.ts'
import { checkKey } from '../names.ts'
import {
  commitObject,
  insertObject,
  lockKey,
  type Kept,
  type NewObject,
  type ObjectMetadata,
  type StoredObject,
} from '../objects-store.ts'
import type { Limits } from './upload-limits.ts'

/** The storage of one project, for one request. */
export type Storage = {
  ref: string
  access: Access
  backend: Backend
  /** Bytes of one object at most, in any bucket. */
  largest: number
  /** Seals what is signed. */
  sealingKey: string
  /** How long what is deleted can be had back. */
  trashDays: number
  /** Has a bucket emptied by a job that nobody waits for. Undefined where there are no jobs. */
  orderEmptying: ((bucket: string) => Promise<void>) | undefined
  /** Counts what clients get. */
  use: { sent: (bytes: number) => void; rendered: (origin: string) => void }
  /** Removes what is over in the trash, without anybody waiting for it. */
  purgeSoon: () => void
  log: Log
}

/** Whose it is, where that is somebody else than the caller. */
type Owned = { owner?: string | null | undefined }
export type Target = {
  bucket: string
  name: string
  upsert: boolean
  operation: string
  /** Whether its key may end with a slash. */
  folders?: boolean
  /** Only in the place of an object with this ETag, which has no quotes here; `*`: of any object. */
  ifMatch?: string | undefined
}
export type Details = Kept & {
  mimetype: string
  cacheControl: string
  userMetadata: Record<string, unknown> | null
}

/** What may go into a bucket; asked by the service, since who may upload may not see the bucket. @throws StorageError */
export async function limitsOf({ access, largest }: Storage, bucket: string): Promise<Limits> {
  const [rows] = await access.asService({
    operation: 'storage.bucket.get',
    statements: [findBucket(bucket)],
  })
  const [found] = rowsOf<Bucket>(rows)
  if (!found) throw noSuchBucket()
  return {
    fileSizeLimit: Math.min(found.file_size_limit ?? largest, largest),
    mimeTypes: found.allowed_mime_types,
  }
}

const nothing: ObjectMetadata = {
  eTag: '',
  size: 0,
  mimetype: '',
  cacheControl: '',
  lastModified: '',
  contentLength: 0,
  httpStatusCode: 200,
}

/** Whether the caller's policies allow it, before a single byte is taken. @throws StorageError */
export async function rehearse(storage: Storage, target: Target, mimetype = ''): Promise<void> {
  const { access } = storage
  checkKey(target.name, target)
  const object = { ...newObject(target, access), metadata: { ...nothing, mimetype } }
  await access.asCaller({
    operation: target.operation,
    statements: [insertObject(object, target.upsert)],
    isRehearsal: true,
  })
}

const newObject = ({ bucket, name }: Target, { identity }: Access): NewObject => ({
  bucket,
  name,
  version: randomUUID(),
  owner: subjectOf(identity),
  metadata: nothing,
  userMetadata: null,
})

/** What of it is kept: nothing that was not said. */
export const keptOf = ({
  contentDisposition,
  contentEncoding,
  contentLanguage,
  expires,
}: { [Name in keyof Kept]: Kept[Name] | undefined }): Kept => ({
  ...(contentDisposition !== undefined && { contentDisposition }),
  ...(contentEncoding !== undefined && { contentEncoding }),
  ...(contentLanguage !== undefined && { contentLanguage }),
  ...(expires !== undefined && { expires }),
})

export const metadataOf = (
  { mimetype, cacheControl, ...details }: Details,
  { size, eTag }: { size: number; eTag: string },
): ObjectMetadata => ({
  ...keptOf(details),
  eTag,
  size,
  mimetype,
  cacheControl,
  lastModified: new Date().toISOString(),
  contentLength: size,
  httpStatusCode: 200,
})

/**
 * Takes bytes and then writes the row, so that a row never stands for bytes that are not there; what a crash leaves
 * between the two is bytes without a row, which the scrubber removes. `details` are asked for when the bytes have come,
 * since a form may name them behind the file.
 */
export async function store(
  storage: Storage,
  target: Target,
  bytes: AsyncIterable<Uint8Array>,
  details: () => Details,
  owned: Owned = {},
): Promise<StoredObject> {
  const { backend, ref } = storage
  const version = randomUUID()
  const { size, md5 } = await backend.write({ ref, version }, bytes)
  try {
    const given = details()
    const metadata = metadataOf(given, { size, eTag: `"${md5}"` })
    return await commit(storage, target, {
      version,
      metadata,
      userMetadata: given.userMetadata,
      ...owned,
    })
  } catch (error) {
    // After any other failure the row may have been written all the same; then the scrubber decides.
    if (error instanceof StorageError) await forget(storage, [version])
    throw error
  }
}

/** Removes bytes that no row names any more. What fails here, the scrubber does later. */
export async function forget(
  { backend, ref, log }: Pick<Storage, 'backend' | 'ref' | 'log'>,
  versions: readonly (string | null)[],
): Promise<void> {
  const places = versions.flatMap((version) => (version === null ? [] : [{ ref, version }]))
  try {
    await backend.remove(places)
  } catch (error) {
    log.warn({ err: error, ref }, 'Bytes of removed objects could not be removed yet')
  }
}

/** Writes the row of bytes that are there, and removes those that they replace. `more` comes or goes with the row. */
export async function commit(
  storage: Storage,
  target: Target,
  made: Pick<NewObject, 'version' | 'metadata' | 'userMetadata'> & Owned,
  more: readonly Statement[] = [],
): Promise<StoredObject> {
  const { access } = storage
  const { owner = subjectOf(access.identity) } = made
  const object: NewObject = { ...newObject(target, access), ...made, owner }
  const [, rows] = await access.asService({
    operation: target.operation,
    statements: [lockKey(target.bucket, target.name), commitObject(object, target), ...more],
  })
  const [stored] = rowsOf<StoredObject & { replaced: string | null }>(rows)
  if (!stored && target.ifMatch !== undefined) throw preconditionFailed()
  if (!stored) throw new Error('A row that was written did not come back')
  const { replaced, ...row } = stored
  await forget(storage, [replaced])
  return row
}
