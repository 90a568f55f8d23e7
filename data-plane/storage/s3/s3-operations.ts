import { S3Error } from './s3-errors.ts'

/** What a request of the protocol asks for. */
export type S3Operation = (typeof known)[number][3]
type Level = 'service' | 'bucket' | 'object'

const listParams =
  'list-type prefix delimiter max-keys encoding-type marker start-after continuation-token fetch-owner'
const overrides =
  'response-content-type response-content-disposition response-cache-control response-content-language response-content-encoding response-expires'

/**
 * Method, level, the parameter that tells it from others, its name, and the parameters that it may have besides. What
 * stands in none of these lines is refused: a parameter that is passed over would make another request of it.
 */
const known = [
  ['GET', 'service', '', 'ListBuckets', ''],
  ['PUT', 'bucket', '', 'CreateBucket', ''],
  ['HEAD', 'bucket', '', 'HeadBucket', ''],
  ['GET', 'bucket', 'location', 'GetBucketLocation', ''],
  ['GET', 'bucket', 'versioning', 'GetBucketVersioning', ''],
  [
    'GET',
    'bucket',
    'uploads',
    'ListMultipartUploads',
    'prefix delimiter key-marker upload-id-marker max-uploads encoding-type',
  ],
  ['GET', 'bucket', '', 'ListObjects', listParams],
  ['DELETE', 'bucket', '', 'DeleteBucket', ''],
  ['POST', 'bucket', 'delete', 'DeleteObjects', ''],
  ['PUT', 'object', 'uploadId', 'UploadPart', 'partNumber'],
  ['PUT', 'object', '', 'PutObject', ''],
  ['GET', 'object', 'uploadId', 'ListParts', 'max-parts part-number-marker encoding-type'],
  ['GET', 'object', 'tagging', 'GetObjectTagging', ''],
  ['GET', 'object', '', 'GetObject', `partNumber ${overrides}`],
  ['HEAD', 'object', '', 'HeadObject', `partNumber ${overrides}`],
  ['POST', 'object', 'uploads', 'CreateMultipartUpload', ''],
  ['POST', 'object', 'uploadId', 'CompleteMultipartUpload', ''],
  ['DELETE', 'object', 'uploadId', 'AbortMultipartUpload', ''],
  ['DELETE', 'object', '', 'DeleteObject', ''],
] as const satisfies readonly (readonly [string, Level, string, string, string])[]

/** Parameters of the signature and of clients, which every request may have. */
const everywhere = /^(?:x-amz-.*|x-id|apikey)$/i

/** @throws S3Error for what is not offered */
export function operationOf(
  method: string,
  level: Level,
  query: ReadonlyMap<string, string>,
): S3Operation {
  const params = [...query.keys()].filter((name) => !everywhere.test(name))
  const found = known.find(
    ([verb, at, marker]) =>
      verb === method && at === level && (marker === '' || params.includes(marker)),
  )
  if (!found) throw new S3Error('MethodNotAllowed', 'This method is not allowed here')
  const [, , marker, operation, more] = found
  const strange = params.find((name) => name !== marker && !more.split(' ').includes(name))
  if (strange !== undefined)
    throw new S3Error('NotImplemented', `${strange.slice(0, 100)} is not offered`)
  return operation
}
