import { rowsOf } from '../access.ts'
import { listLevel, type Listed } from '../list-store.ts'
import { numberOf, sendXml, type S3Call } from './s3-call.ts'
import { S3Error } from './s3-errors.ts'
import { awsEncode } from './s3-xml.ts'
import { limitsOf } from '../transfer/uploads.ts'

const max = 1000

/** How names are written: `encoding-type=url` is for those that no XML could hold. @throws S3Error */
export function encodingOf({ query }: S3Call): (name: string) => string {
  const type = query.get('encoding-type')
  if (type === undefined || type === '') return (name) => name
  if (type !== 'url') throw new S3Error('InvalidArgument', 'encoding-type is url')
  return (name) => awsEncode(name, '/')
}

const tokenOf = (name: string) => Buffer.from(name).toString('base64url')
function nameOf(token: string): string {
  const name = Buffer.from(token, 'base64url').toString()
  if (token === '' || tokenOf(name) !== token)
    throw new S3Error('InvalidArgument', 'The continuation token is not one of this list')
  return name
}

/** Both lists of objects: the second one, `list-type=2`, goes on by a token. */
export async function listObjects(call: S3Call) {
  const { query, storage, bucket } = call
  const version = query.get('list-type') ?? '1'
  if (version !== '1' && version !== '2')
    throw new S3Error('InvalidArgument', 'list-type is 1 or 2')
  const isSecond = version === '2'
  const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? '']
  const maxKeys = Math.min(numberOf(call, 'max-keys', { max, unless: max }), max)
  const token = query.get('continuation-token')
  const start = query.get(isSecond ? 'start-after' : 'marker') ?? ''
  const after = isSecond && token !== undefined ? nameOf(token) : start
  const encode = encodingOf(call)
  await limitsOf(storage, bucket)
  const found = await read(call, { prefix, delimiter, after, max: maxKeys + 1 })
  const page = found.slice(0, maxKeys)
  const last = page.at(-1)
  const next = found.length > maxKeys && last ? last.name : undefined
  return sendXml(call, 'ListBucketResult', {
    Name: bucket,
    Prefix: encode(prefix),
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    MaxKeys: maxKeys,
    EncodingType: query.get('encoding-type') || undefined,
    IsTruncated: next !== undefined,
    ...(isSecond
      ? {
          KeyCount: page.length,
          ContinuationToken: token,
          NextContinuationToken: next && tokenOf(next),
          StartAfter: start === '' ? undefined : encode(start),
        }
      : { Marker: encode(start), NextMarker: next && encode(next) }),
    Contents: page
      .filter(({ id }) => id !== null)
      .map(({ name, updated_at, metadata }) => ({
        Key: encode(name),
        LastModified: updated_at ?? undefined,
        ETag: textIn(metadata, 'eTag'),
        Size: Number(metadata?.['size'] ?? 0),
        StorageClass: 'STANDARD',
      })),
    CommonPrefixes: page
      .filter(({ id }) => id === null)
      .map(({ name }) => ({ Prefix: encode(name) })),
  })
}

/** Rows can be written by hand. */
const textIn = (metadata: Listed['metadata'], name: string): string => {
  const value = metadata?.[name]
  return typeof value === 'string' ? value : ''
}

async function read(
  { storage: { access }, bucket }: S3Call,
  ask: { prefix: string; delimiter: string; after: string; max: number },
): Promise<Listed[]> {
  const statement = listLevel({ bucket, ...ask, descending: false })
  const operation = 'storage.s3.object.list'
  const [rows] = await access.asCaller({ operation, statements: [statement] })
  return rowsOf<Listed>(rows)
}
