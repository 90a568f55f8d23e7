import { z } from 'zod'
import { rowsOf } from '../access.ts'
import { NoBytesError } from '../backends/backend.ts'
import { contentOf } from '../transfer/download-headers.ts'
import { findFor } from '../objects.ts'
import { detailsOf, headerOf, numberOf, sendXml, textOf, type S3Call } from './s3-call.ts'
import { checkSource, replacingOf } from './s3-conditions.ts'
import { S3Error } from './s3-errors.ts'
import { encodingOf } from './s3-lists.ts'
import { checkReplaced, sourceOf } from './s3-objects.ts'
import { maxParts, partNumberOf } from './s3-part-ranges.ts'
import { partsAfter, type Part } from './s3-uploads-store.ts'
import {
  abortUpload,
  addPart,
  beginUpload,
  completeUpload,
  findUpload,
  type Into,
} from './s3-uploads.ts'
import { listOf, readXml } from './s3-xml.ts'
import { checkSize } from '../transfer/upload-limits.ts'
import { limitsOf } from '../transfer/uploads.ts'

const into = ({ bucket, key: name }: S3Call, kind: string): Into => ({
  bucket,
  name,
  operation: `storage.s3.upload.${kind}`,
})
const idOf = ({ query }: S3Call): string => query.get('uploadId') ?? ''

export async function createUpload(call: S3Call) {
  const id = await beginUpload(call.storage, into(call, 'create'), detailsOf(call))
  return sendXml(call, 'InitiateMultipartUploadResult', {
    Bucket: call.bucket,
    Key: call.key,
    UploadId: id,
  })
}

export async function uploadPart(call: S3Call) {
  const { storage, body } = call
  const number = partNumberOf(call)
  if (headerOf(call, 'x-amz-copy-source') !== undefined) return copyPart(call, number)
  checkSize(body.length ?? 0, await limitsOf(storage, call.bucket))
  const part = { number, bytes: body.bytes }
  const { etag } = await addPart(storage, into(call, 'part'), idOf(call), part)
  return call.reply.headers({ etag: `"${etag}"`, ...body.checked() }).send()
}

async function copyPart(call: S3Call, number: number) {
  const { storage } = call
  const { backend, ref } = storage
  const source = sourceOf(call)
  const operation = 'storage.s3.upload.part_copy'
  const object = await findFor(storage, source.bucket, source.name, operation)
  if (object.version === null) throw new NoBytesError('A row without bytes')
  checkSource(call, contentOf(object, 0))
  const place = { ref, version: object.version }
  const range = headerOf(call, 'x-amz-copy-source-range')
  const [, start, end] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(range ?? '') ?? []
  const bounds = start === undefined ? undefined : { start: Number(start), end: Number(end) }
  if (range !== undefined && !bounds)
    throw new S3Error('InvalidArgument', 'x-amz-copy-source-range is bytes=FIRST-LAST')
  if (bounds && (bounds.start > bounds.end || bounds.end >= (await backend.size(place))))
    throw new S3Error('InvalidRange', 'The range is outside of the object')
  // Opened by who reads it: an upload that is not there leaves nothing open.
  const bytes = (async function* () {
    yield* (await backend.read(place, bounds)) as AsyncIterable<Uint8Array>
  })()
  const { etag, at } = await addPart(storage, into(call, 'part_copy'), idOf(call), {
    number,
    bytes,
  })
  return sendXml(call, 'CopyPartResult', { ETag: `"${etag}"`, LastModified: at })
}

const Complete = z.object({
  Part: listOf(
    z
      .array(z.object({ PartNumber: z.string().regex(/^\d{1,5}$/), ETag: z.string().max(100) }))
      .min(1)
      .max(maxParts),
  ),
})

export async function complete(call: S3Call) {
  const asked = await readXml(await textOf(call), 'CompleteMultipartUpload', Complete)
  const chosen = asked.Part.map(({ PartNumber, ETag }) => ({
    number: Number(PartNumber),
    etag: ETag.trim(),
  }))
  const condition = replacingOf(call)
  await checkReplaced(call, condition)
  const where = into(call, 'complete')
  const etag = await completeUpload(call.storage, where, idOf(call), chosen, condition)
  const { request, bucket, key } = call
  const [location = ''] = request.originalUrl.split('?', 1)
  return sendXml(call, 'CompleteMultipartUploadResult', {
    Location: `${request.protocol}://${request.host}${location}`,
    Bucket: bucket,
    Key: key,
    ETag: etag,
  })
}

export async function abort(call: S3Call) {
  await abortUpload(call.storage, into(call, 'abort'), idOf(call))
  return call.reply.status(204).send()
}

export async function listParts(call: S3Call) {
  const after = numberOf(call, 'part-number-marker', { max: maxParts, unless: 0 })
  const max = Math.min(numberOf(call, 'max-parts', { max: 1000, unless: 1000 }), 1000)
  const where = into(call, 'list_parts')
  const id = idOf(call)
  await findUpload(call.storage, where, id)
  const { operation } = where
  const statements = [partsAfter(id, after, max + 1)]
  const [rows] = await call.storage.access.asService({ operation, statements })
  const found = rowsOf<Part>(rows)
  const page = found.slice(0, max)
  return sendXml(call, 'ListPartsResult', {
    Bucket: call.bucket,
    Key: encodingOf(call)(call.key),
    UploadId: id,
    PartNumberMarker: after,
    NextPartNumberMarker: page.at(-1)?.part_number ?? after,
    MaxParts: max,
    IsTruncated: found.length > max,
    StorageClass: 'STANDARD',
    Part: page.map((part) => ({
      PartNumber: part.part_number,
      LastModified: part.created_at,
      ETag: `"${part.etag}"`,
      Size: part.size,
    })),
  })
}
