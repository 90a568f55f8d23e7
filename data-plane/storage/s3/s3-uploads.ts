import { createHash, randomUUID } from 'node:crypto'
import { rowsOf, subjectOf } from '../access.ts'
import type { Statement } from '../../projects/transaction.ts'
import { StorageError } from '../errors.ts'
import { lockUpload, removeUpload } from '../resumable/resumable-store.ts'
import { S3Error } from './s3-errors.ts'
import { maxParts, partSizesOf } from './s3-part-ranges.ts'
import {
  findParted,
  partsAfter,
  putPart,
  removeAbandoned,
  saveParted,
  type Part,
  type PartedUpload,
} from './s3-uploads-store.ts'
import { checkMimeType, checkSize, limited } from '../transfer/upload-limits.ts'
import {
  commit,
  forget,
  limitsOf,
  metadataOf,
  rehearse,
  type Details,
  type Storage,
  type Target,
} from '../transfer/uploads.ts'

/** Uploads in parts that nobody completes are kept for so long. */
const keptDays = 7
/** Bytes of every part but the last one. */
const smallestPart = 5 * 1024 * 1024

const noUpload = () => new StorageError('NoSuchUpload', 'The upload does not exist')

/** Where an upload goes, and what of the protocol is being done. */
export type Into = { bucket: string; name: string; operation: string }
type Chosen = { number: number; etag: string }

const service = (storage: Storage, { operation }: Into, ...statements: Statement[]) =>
  storage.access.asService({ operation, statements })

/** A UUID whose order is that of time (RFC 9562, version 7): lists of uploads go by key, time and id at once. */
function uploadId(): string {
  const time = Date.now().toString(16).padStart(12, '0')
  const chance = randomUUID().slice(15)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${chance}`
}

/** @throws StorageError S3Error */
export async function beginUpload(storage: Storage, into: Into, details: Details): Promise<string> {
  const { userMetadata, ...metadata } = details
  await rehearse(storage, { ...into, upsert: true, folders: true }, details.mimetype)
  checkMimeType(details.mimetype, await limitsOf(storage, into.bucket))
  const id = uploadId()
  const made = {
    id,
    bucket_id: into.bucket,
    key: into.name,
    owner_id: subjectOf(storage.access.identity),
    user_metadata: userMetadata,
    metadata,
  }
  await service(storage, into, removeAbandoned(keptDays), saveParted(made))
  return id
}

/** One's own, and the service's every one; who may not go on with it does not learn that it is there. @throws StorageError */
export async function findUpload(storage: Storage, into: Into, id: string): Promise<PartedUpload> {
  const [rows] = await service(storage, into, findParted(id, into.bucket, into.name))
  const [upload] = rowsOf<PartedUpload>(rows)
  const { identity } = storage.access
  const isOwn = identity.role === 'service_role' || upload?.owner_id === subjectOf(identity)
  if (!upload || !isOwn) throw noUpload()
  return upload
}

/** The ETag of the part. @throws StorageError S3Error */
export async function addPart(
  storage: Storage,
  into: Into,
  id: string,
  part: { number: number; bytes: AsyncIterable<Uint8Array> },
): Promise<{ etag: string; at: string }> {
  const { backend, ref } = storage
  const upload = await findUpload(storage, into, id)
  await rehearse(storage, { ...into, upsert: true, folders: true }, upload.metadata.mimetype)
  const limits = await limitsOf(storage, into.bucket)
  const version = randomUUID()
  const { size, md5 } = await backend.write({ ref, version }, limited(part.bytes, limits))
  const made = { part_number: part.number, version, size, etag: md5 }
  const [, rows] = await service(
    storage,
    into,
    lockUpload(id),
    putPart(id, made, limits.fileSizeLimit),
  )
  const [stored] = rowsOf<{ created_at: string; replaced: string[] }>(rows)
  await forget(storage, stored ? stored.replaced : [version])
  if (stored) return { etag: md5, at: stored.created_at }
  await findUpload(storage, into, id)
  throw new StorageError('EntityTooLarge', 'The object exceeded the maximum allowed size')
}

async function partsOf(storage: Storage, into: Into, id: string): Promise<Part[]> {
  const [rows] = await service(storage, into, partsAfter(id, 0, maxParts))
  return rowsOf<Part>(rows)
}

/** The parts that were chosen, as they are. @throws S3Error */
function checked(parts: readonly Part[], chosen: readonly Chosen[]): Part[] {
  const byNumber = new Map(parts.map((part) => [part.part_number, part]))
  if (chosen.some(({ number }, at) => number <= (chosen[at - 1]?.number ?? 0)))
    throw new S3Error('InvalidPartOrder', 'The parts are not in the order of their numbers')
  return chosen.map(({ number, etag }, at) => {
    const part = byNumber.get(number)
    if (!part || part.etag !== etag.replaceAll('"', ''))
      throw new S3Error('InvalidPart', `Part ${number} was not uploaded, or has another ETag`)
    if (at < chosen.length - 1 && part.size < smallestPart)
      throw new S3Error('EntityTooSmall', `Part ${number} is smaller than ${smallestPart} bytes`)
    return part
  })
}

/**
 * Makes the object of the chosen parts: its row comes and the upload goes in one transaction. The ETag of the object,
 * in quotes. @throws StorageError S3Error
 */
export async function completeUpload(
  storage: Storage,
  into: Into,
  id: string,
  chosen: readonly Chosen[],
  condition: Pick<Target, 'upsert' | 'ifMatch'>,
): Promise<string> {
  const { backend, ref } = storage
  const upload = await findUpload(storage, into, id)
  const target = { ...into, ...condition, folders: true }
  await rehearse(storage, target, upload.metadata.mimetype)
  const all = await partsOf(storage, into, id)
  const parts = checked(all, chosen)
  // Of the moment: it may be lower than it was when the parts came.
  const whole = parts.reduce((sum, part) => sum + part.size, 0)
  checkSize(whole, await limitsOf(storage, into.bucket))
  const version = randomUUID()
  const places = parts.map((part) => ({ ref, version: part.version }))
  const { size } = await backend.join(places, { ref, version })
  const sums = Buffer.concat(parts.map((part) => Buffer.from(part.etag, 'hex')))
  const eTag = `"${createHash('md5').update(sums).digest('hex')}-${parts.length}"`
  const { user_metadata: userMetadata, owner_id: owner } = upload
  const metadata = {
    ...metadataOf({ ...upload.metadata, userMetadata }, { size, eTag }),
    partSizes: partSizesOf(parts.map((part) => part.size)),
  }
  try {
    const made = { version, metadata, userMetadata, owner }
    await commit(storage, target, made, [lockUpload(id), removeUpload(id)])
  } catch (error) {
    // After any other failure the row may have been written all the same; then the scrubber decides.
    if (error instanceof StorageError) await forget(storage, [version])
    throw error
  }
  await forget(
    storage,
    all.map((part) => part.version),
  )
  return eTag
}

/** @throws StorageError */
export async function abortUpload(storage: Storage, into: Into, id: string): Promise<void> {
  await findUpload(storage, into, id)
  const parts = await partsOf(storage, into, id)
  await service(storage, into, lockUpload(id), removeUpload(id))
  await forget(
    storage,
    parts.map((part) => part.version),
  )
}
