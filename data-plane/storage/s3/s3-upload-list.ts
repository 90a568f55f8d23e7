import { rowsOf, subjectOf } from '../access.ts'
import { numberOf, sendXml, type S3Call } from './s3-call.ts'
import { encodingOf } from './s3-lists.ts'
import { listParted, type UploadOrPrefix } from './s3-uploads-store.ts'
import { limitsOf } from '../transfer/uploads.ts'

/** Uploads in parts that are under way: those of the caller, or all where the caller is the service. */
export async function listUploads(call: S3Call) {
  const { storage, bucket, query } = call
  const max = Math.min(numberOf(call, 'max-uploads', { max: 1000, unless: 1000 }), 1000)
  const text = (name: string) => query.get(name) ?? ''
  const [prefix, delimiter, afterKey] = [text('prefix'), text('delimiter'), text('key-marker')]
  // Of no key in particular it says nothing.
  const afterId = afterKey === '' ? '' : text('upload-id-marker')
  const encode = encodingOf(call)
  await limitsOf(storage, bucket)
  const { identity } = storage.access
  const isAll = identity.role === 'service_role'
  const owner = subjectOf(identity)
  const ask = { bucket, prefix, delimiter, afterKey, afterId, max: max + 1, owner, isAll }
  const operation = 'storage.s3.upload.list'
  const [rows] = await storage.access.asService({ operation, statements: [listParted(ask)] })
  const found = rowsOf<UploadOrPrefix>(rows)
  const page = found.slice(0, max)
  const last = found.length > max ? page.at(-1) : undefined
  return sendXml(call, 'ListMultipartUploadsResult', {
    Bucket: bucket,
    Prefix: encode(prefix),
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    KeyMarker: encode(afterKey),
    UploadIdMarker: afterId,
    NextKeyMarker: last && encode(last.common ?? last.upload?.key ?? ''),
    NextUploadIdMarker: last?.upload?.id,
    MaxUploads: max,
    EncodingType: query.get('encoding-type') || undefined,
    IsTruncated: last !== undefined,
    Upload: page.flatMap(({ upload }) =>
      upload === null
        ? []
        : {
            Key: encode(upload.key),
            UploadId: upload.id,
            Initiated: upload.created_at,
            StorageClass: 'STANDARD',
          },
    ),
    CommonPrefixes: page.flatMap(({ common }) =>
      common === null ? [] : { Prefix: encode(common) },
    ),
  })
}
