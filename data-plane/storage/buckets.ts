import type { z } from 'zod'
import { rowsOf, subjectOf } from './access.ts'
import {
  deleteBucket,
  deleteUploads,
  findBucket,
  hasObjects,
  insertBucket,
  isBucketSort,
  listBuckets,
  updateBucket,
  type Bucket,
} from './buckets-store.ts'
import { invalidRequest, noSuchBucket, StorageError } from './errors.ts'
import type { ChangedBucket, NewBucket } from './input.ts'
import { checkBucketName } from './names.ts'
import { deleteSome } from './objects-store.ts'
import { parseSizeLimit } from './transfer/upload-limits.ts'
import { forget, type Storage } from './transfer/uploads.ts'

/** @throws StorageError */
export async function createBucket(
  { access, largest }: Storage,
  input: z.infer<typeof NewBucket>,
): Promise<string> {
  const { id = input.name, name } = input
  checkBucketName(id)
  checkBucketName(name)
  if (input.type && input.type !== 'STANDARD') {
    throw new StorageError('FeatureNotEnabled', `Buckets of the type ${input.type} are not offered`)
  }
  const bucket = {
    id,
    name,
    public: input.public ?? false,
    file_size_limit: checkedLimit(input.file_size_limit, largest),
    allowed_mime_types: input.allowed_mime_types ?? null,
  }
  await access.asCaller({
    operation: 'storage.bucket.create',
    statements: [insertBucket(bucket, subjectOf(access.identity))],
    taken: 'BucketAlreadyExists',
  })
  return name
}

function checkedLimit(value: string | number | null | undefined, largest: number): number | null {
  const limit = parseSizeLimit(value)
  if (limit !== null && limit > largest) {
    throw new StorageError('EntityTooLarge', 'The object exceeded the maximum allowed size')
  }
  return limit
}

/** @throws StorageError */
export async function getBucket({ access }: Storage, id: string): Promise<Bucket> {
  const [rows] = await access.asCaller({
    operation: 'storage.bucket.get',
    statements: [findBucket(id)],
  })
  const [found] = rowsOf<Bucket>(rows)
  if (!found) throw noSuchBucket()
  return found
}

/** By the query of an address. @throws StorageError */
export async function getBuckets({ access }: Storage, query: URLSearchParams): Promise<Bucket[]> {
  const amount = (name: string) => {
    const text = query.get(name)
    if (text === null || text === '') return null
    if (!/^\d{1,9}$/.test(text)) throw invalidRequest(`querystring/${name} must be integer`)
    return Number(text)
  }
  const sort = query.get('sortColumn') ?? 'name'
  const order = query.get('sortOrder') ?? 'asc'
  if (!isBucketSort(sort))
    throw invalidRequest('querystring/sortColumn must be one of id, name, created_at, updated_at')
  if (order !== 'asc' && order !== 'desc')
    throw invalidRequest('querystring/sortOrder must be asc or desc')
  const search = query.get('search') ?? ''
  const [rows] = await access.asCaller({
    operation: 'storage.bucket.list',
    statements: [
      listBuckets({
        limit: amount('limit'),
        offset: amount('offset') ?? 0,
        sort,
        descending: order === 'desc',
        search,
      }),
    ],
  })
  return rowsOf<Bucket>(rows)
}

/** @throws StorageError */
export async function changeBucket(
  { access, largest }: Storage,
  id: string,
  input: z.infer<typeof ChangedBucket>,
): Promise<void> {
  const { public: isPublic, file_size_limit: size, allowed_mime_types: types } = input
  const change = {
    ...(isPublic !== undefined && { public: isPublic }),
    ...(size !== undefined && { file_size_limit: checkedLimit(size, largest) }),
    ...(types !== undefined && { allowed_mime_types: types?.length === 0 ? null : types }),
  }
  if (Object.keys(change).length === 0) {
    throw invalidRequest('body must name public, file_size_limit or allowed_mime_types')
  }
  const [rows] = await access.asCaller({
    operation: 'storage.bucket.update',
    statements: [updateBucket(id, change)],
  })
  if (!rows?.length) throw noSuchBucket()
}

/**
 * Only one with nothing in it, whether the caller sees that or not. What of it lies in the trash goes for ever.
 * @throws StorageError
 */
export async function removeBucket({ access, purgeSoon }: Storage, id: string): Promise<void> {
  const operation = 'storage.bucket.delete'
  const [inside] = await access.asService({ operation, statements: [hasObjects(id)] })
  if (inside?.length) {
    throw new StorageError('ResourceNotEmpty', 'The bucket you tried to delete is not empty')
  }
  const work = { operation, deletes: true, statements: [deleteBucket(id)] }
  const [rows] = await access.asCaller(work).catch((error: unknown) => {
    // Something was stored between the two looks.
    if (error instanceof StorageError && error.code === 'NoSuchBucket') {
      throw new StorageError('ResourceNotEmpty', 'The bucket you tried to delete is not empty')
    }
    throw error
  })
  if (!rows?.length) throw noSuchBucket()
  purgeSoon()
}

const atOnce = 1000

/** Has all of a bucket removed, by a job or, where there are none, now and part by part. @throws StorageError */
export async function emptyBucket(storage: Storage, id: string): Promise<void> {
  if (storage.access.identity.role !== 'service_role') {
    throw new StorageError('AccessDenied', 'Only the service role can empty buckets')
  }
  await getBucket(storage, id)
  if (storage.orderEmptying) return storage.orderEmptying(id)
  for (;;) {
    const [rows] = await storage.access.asService({
      operation: 'storage.bucket.empty',
      deletes: true,
      statements: [deleteSome(id, atOnce)],
    })
    if ((rows?.length ?? 0) < atOnce) break
  }
  return endUploads(storage, id)
}

/** A bucket with an upload under way in it would never count as empty. */
export async function endUploads(storage: Storage, id: string): Promise<void> {
  const operation = 'storage.bucket.empty'
  const [rows] = await storage.access.asService({ operation, statements: [deleteUploads(id)] })
  await forget(storage, rowsOf<string>(rows))
}
