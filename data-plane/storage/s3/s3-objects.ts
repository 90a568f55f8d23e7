import { z } from 'zod'
import { rowsOf } from '../access.ts'
import { contentOf } from '../transfer/download-headers.ts'
import { sendObject } from '../transfer/downloads.ts'
import { preconditionFailed, StorageError } from '../errors.ts'
import { copyTo, findFor, removeObjects } from '../objects.ts'
import { findObjects, type StoredObject } from '../objects-store.ts'
import { detailsOf, headerOf, metadataHeaders, sendXml, textOf, type S3Call } from './s3-call.ts'
import { checkRead, checkSource, replacingOf } from './s3-conditions.ts'
import { S3Error } from './s3-errors.ts'
import { partOf } from './s3-part-ranges.ts'
import { addressOf } from './s3-sigv4.ts'
import { listOf, readXml } from './s3-xml.ts'
import { checkMimeType, checkSize, limited } from '../transfer/upload-limits.ts'
import { limitsOf, rehearse, store, type Target } from '../transfer/uploads.ts'

export async function putObject(call: S3Call) {
  const { storage, bucket, key: name, body, reply } = call
  if (headerOf(call, 'x-amz-copy-source') !== undefined) return copyObject(call)
  const condition = replacingOf(call)
  const details = detailsOf(call)
  const operation = 'storage.s3.object.upload'
  const target = { bucket, name, ...condition, operation, folders: true }
  await rehearse(storage, target, details.mimetype)
  await checkReplaced(call, condition)
  const limits = await limitsOf(storage, bucket)
  checkSize(body.length ?? 0, limits)
  checkMimeType(details.mimetype, limits)
  const stored = await store(storage, target, limited(body.bytes, limits), () => details)
  return reply.headers({ etag: stored.metadata?.eTag ?? '', ...body.checked() }).send()
}

/** Before a byte is taken, whether there is what `if-match` wants; again when the row is written. @throws StorageError */
export async function checkReplaced(
  { storage, bucket, key }: S3Call,
  { ifMatch }: Pick<Target, 'ifMatch'>,
): Promise<void> {
  if (ifMatch === undefined) return
  const { metadata } = await findFor(storage, bucket, key, 'storage.s3.object.info')
  if (ifMatch !== '*' && ifMatch !== metadata?.eTag?.replaceAll('"', '')) throw preconditionFailed()
}

/** Bucket and key of `x-amz-copy-source`. @throws S3Error */
export function sourceOf(call: S3Call): { bucket: string; name: string } {
  const copySource = headerOf(call, 'x-amz-copy-source') ?? ''
  const { path, query } = addressOf(copySource)
  if (query.length > 0) throw new S3Error('NotImplemented', 'Versions are not kept')
  const [, bucket = '', name = ''] = /^\/?([^/]+)\/(.+)$/s.exec(path) ?? []
  if (name === '' || path.includes('\0'))
    throw new S3Error('InvalidArgument', 'x-amz-copy-source is BUCKET/KEY')
  return { bucket, name }
}

async function copyObject(call: S3Call) {
  const { storage, bucket, key } = call
  const source = sourceOf(call)
  const directive = headerOf(call, 'x-amz-metadata-directive') ?? 'COPY'
  if (directive !== 'COPY' && directive !== 'REPLACE')
    throw new S3Error('InvalidArgument', 'x-amz-metadata-directive is COPY or REPLACE')
  const copies = directive === 'COPY'
  if (copies && source.bucket === bucket && source.name === key)
    throw new S3Error('InvalidRequest', 'An object is copied onto itself with new metadata only')
  const { upsert, ifMatch } = replacingOf(call)
  if (ifMatch !== undefined)
    throw new S3Error('NotImplemented', 'if-match of a copy is not offered')
  const details = copies ? undefined : detailsOf(call)
  const copied = await copyTo(storage, {
    bucketId: source.bucket,
    sourceKey: source.name,
    destinationBucket: bucket,
    destinationKey: key,
    copyMetadata: copies,
    metadata: details,
    kept: details,
    userMetadata: details?.userMetadata,
    upsert,
    folders: true,
    check: (found) => checkSource(call, contentOf(found, 0)),
  })
  return sendXml(call, 'CopyObjectResult', {
    ETag: copied.metadata?.eTag ?? '',
    LastModified: copied.updated_at,
  })
}

export async function getObject(call: S3Call) {
  const { storage, bucket, key, request, reply } = call
  const isHead = request.method === 'HEAD'
  const operation = isHead ? 'storage.s3.object.info' : 'storage.s3.object.get'
  const find = () => foundIn(call, () => findFor(storage, bucket, key, operation))
  return sendObject(storage, find, request, reply, (object, content) => {
    checkRead(call, content)
    const headers = { ...metadataHeaders(object.user_metadata), ...overridden(call) }
    const part = partOf(call, object, content)
    if (!part) return { headers }
    const count = part.parts && { 'x-amz-mp-parts-count': String(part.parts) }
    return { headers: { ...headers, ...count }, range: part.range }
  })
}

/** Whether it is the key or the bucket that is not there. */
async function foundIn(call: S3Call, find: () => Promise<StoredObject>): Promise<StoredObject> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof StorageError && error.code === 'NoSuchKey')
      await limitsOf(call.storage, call.bucket)
    throw error
  }
}

/** Headers that a signed address sets. A type that was not checked when the bytes came is shown without any rights. */
function overridden({ query }: S3Call): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of query) {
    const [, header] = /^response-(.+)$/.exec(name) ?? []
    if (header === undefined) continue
    if (!/^[\x20-\x7e]*$/.test(value))
      throw new S3Error('InvalidArgument', `${name} cannot be a header`)
    headers[header] = value
  }
  return headers['content-type'] === undefined
    ? headers
    : { ...headers, 'content-security-policy': 'sandbox' }
}

export async function objectTagging(call: S3Call) {
  const { storage, bucket, key } = call
  await foundIn(call, () => findFor(storage, bucket, key, 'storage.s3.object.info'))
  return sendXml(call, 'Tagging', { TagSet: '' })
}

const denied = () =>
  new S3Error('AccessDenied', 'The policies of the project do not let you delete this object')

/** What there was to be seen and stays. */
async function remove(call: S3Call, names: readonly string[], operation: string) {
  const { storage, bucket } = call
  const removed = await removeObjects(storage, bucket, names, operation)
  const gone = new Set(removed.map(({ name }) => name))
  const rest = names.filter((name) => !gone.has(name))
  if (rest.length === 0) return new Set<string>()
  const [rows] = await storage.access.asCaller({
    operation,
    statements: [findObjects(bucket, rest)],
  })
  return new Set(rowsOf<string>(rows))
}

export async function deleteObject(call: S3Call) {
  await limitsOf(call.storage, call.bucket)
  const kept = await remove(call, [call.key], 'storage.s3.object.delete')
  if (kept.size > 0) throw denied()
  return call.reply.status(204).send()
}

const Deletes = z.object({
  Object: listOf(
    z
      .array(z.object({ Key: z.string().min(1).max(1024) }))
      .min(1)
      .max(1000),
  ),
  Quiet: z.string().optional(),
})

export async function deleteObjects(call: S3Call) {
  const asked = await readXml(await textOf(call), 'Delete', Deletes)
  const names = asked.Object.map(({ Key }) => Key)
  if (names.some((name) => name.includes('\0'))) throw new S3Error('InvalidKey', 'Invalid key')
  await limitsOf(call.storage, call.bucket)
  const kept = await remove(call, [...new Set(names)], 'storage.s3.object.delete_many')
  const { code, message } = denied()
  return sendXml(call, 'DeleteResult', {
    Deleted:
      asked.Quiet === 'true'
        ? []
        : names.filter((name) => !kept.has(name)).map((name) => ({ Key: name })),
    Error: [...kept].map((name) => ({ Key: name, Code: code, Message: message })),
  })
}
