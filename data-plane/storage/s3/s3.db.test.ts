import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetBucketLocationCommand,
  GetBucketVersioningCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsCommand,
  ListObjectsV2Command,
  PutObjectAclCommand,
  PutObjectCommand,
  type ChecksumAlgorithm,
  type GetObjectCommandInput,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada } from '../../testing/storage/storage.ts'
import { refusalOf, region, startS3, type S3Plane } from '../../testing/storage/s3.ts'

let plane: S3Plane
beforeAll(async () => {
  plane = await startS3()
})
afterAll(async () => {
  plane.closeClients()
  await plane.close()
})

const Bucket = 'own'
const put = (Key: string, Body: string | Buffer, more = {}) =>
  plane.s3.send(new PutObjectCommand({ Bucket, Key, Body, ...more }))
const get = (Key: string, more: Partial<GetObjectCommandInput> = {}) =>
  plane.s3.send(new GetObjectCommand({ Bucket, Key, ...more }))
const text = async (Key: string, more = {}) => (await get(Key, more)).Body?.transformToString()
const md5 = (bytes: string | Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`

test('what is not there, or not allowed, is refused with its real status', async () => {
  const { s3 } = plane
  const nowhere = { Bucket: 'nowhere', Key: 'a' }
  expect(await refusalOf(s3.send(new GetObjectCommand(nowhere)))).toEqual(['NoSuchBucket', 404])
  expect(await refusalOf(get('never'))).toEqual(['NoSuchKey', 404])
  expect(await refusalOf(s3.send(new HeadObjectCommand({ Bucket, Key: 'never' })))).toEqual([
    'NotFound',
    404,
  ])
  expect(await refusalOf(s3.send(new HeadBucketCommand(nowhere)))).toEqual(['NotFound', 404])
  expect(await refusalOf(s3.send(new ListObjectsV2Command(nowhere)))).toEqual(['NoSuchBucket', 404])
  expect(await refusalOf(s3.send(new DeleteObjectCommand(nowhere)))).toEqual(['NoSuchBucket', 404])
  expect(await refusalOf(s3.send(new PutObjectCommand({ ...nowhere, Body: 'x' })))).toEqual([
    'NoSuchBucket',
    404,
  ])
  expect(await refusalOf(s3.send(new CreateBucketCommand({ Bucket })))).toEqual([
    'BucketAlreadyExists',
    409,
  ])
  const acl = new PutObjectAclCommand({ Bucket, Key: 'a', ACL: 'public-read' })
  expect(await refusalOf(s3.send(acl))).toEqual(['NotImplemented', 501])
})

test('a bucket is made, looked at and deleted once it is empty', async () => {
  const { s3 } = plane
  const made = { Bucket: 'made' }
  const { Location } = await s3.send(new CreateBucketCommand({ ...made, ACL: 'public-read' }))
  expect(Location).toBe('/made')
  expect((await plane.service.getBucket('made')).data).toMatchObject({ public: true })
  const { BucketRegion } = await s3.send(new HeadBucketCommand(made))
  expect(BucketRegion).toBe(region)
  const location = await s3.send(new GetBucketLocationCommand(made))
  expect(location.LocationConstraint).toBe(region)
  expect((await s3.send(new GetBucketVersioningCommand(made))).Status).toBeUndefined()
  const { Buckets } = await s3.send(new ListBucketsCommand({}))
  expect(Buckets?.map(({ Name }) => Name)).toEqual(['made', 'open', 'own', 'small'])
  expect(Buckets?.[0]?.CreationDate).toBeInstanceOf(Date)
  await s3.send(new PutObjectCommand({ ...made, Key: 'a', Body: 'a' }))
  expect(await refusalOf(s3.send(new DeleteBucketCommand(made)))).toEqual(['BucketNotEmpty', 409])
  await s3.send(new DeleteObjectCommand({ ...made, Key: 'a' }))
  const { $metadata } = await s3.send(new DeleteBucketCommand(made))
  expect($metadata.httpStatusCode).toBe(204)
})

test('an object goes up, comes down and keeps what was said of it; the REST routes see the same', async () => {
  const Metadata = { owner: 'ada', 'x-no': '7' }
  const content = { ContentType: 'text/plain', CacheControl: 'max-age=60', Metadata }
  const { ETag } = await put('folder/a b+c.txt', 'hello world', content)
  expect(ETag).toBe(md5('hello world'))
  const got = await get('folder/a b+c.txt')
  expect(got).toMatchObject({ ...content, ETag, ContentLength: 11, AcceptRanges: 'bytes' })
  expect(await got.Body?.transformToString()).toBe('hello world')
  const head = await plane.s3.send(new HeadObjectCommand({ Bucket, Key: 'folder/a b+c.txt' }))
  expect(head).toMatchObject({ ...content, ETag, ContentLength: 11 })
  const { data } = await plane.service.from(Bucket).download('folder/a b+c.txt')
  expect(await data?.text()).toBe('hello world')
  await plane.service.from(Bucket).upload('by-rest.txt', 'rest', { metadata: { by: 'rest' } })
  expect(await text('by-rest.txt')).toBe('rest')
  expect((await get('by-rest.txt')).Metadata).toEqual({ by: 'rest' })
  const tags = await plane.s3.send(new GetObjectTaggingCommand({ Bucket, Key: 'by-rest.txt' }))
  expect(tags.TagSet).toEqual([])
})

test.each<[string, number, string | undefined]>([
  ['bytes=0-3', 206, '0123'],
  ['bytes=8-', 206, '89'],
  ['bytes=-3', 206, '789'],
  ['bytes=5-100', 206, '56789'],
  ['bytes=10-', 416, undefined],
  ['bytes=-0', 416, undefined],
])('the range %s is %i', async (Range, status, expected) => {
  await put('digits', '0123456789')
  if (expected === undefined)
    return expect(await refusalOf(get('digits', { Range }))).toEqual(['InvalidRange', status])
  const got = await get('digits', { Range })
  expect(got.$metadata.httpStatusCode).toBe(status)
  expect(await got.Body?.transformToString()).toBe(expected)
  expect(got.ContentRange).toMatch(/^bytes \d-9\/10$|^bytes 0-3\/10$/)
})

test('conditions answer 304 and 412; what a signed address asks for stands in the headers', async () => {
  const { ETag } = await put('known', '<b>x</b>', { ContentType: 'image/png' })
  expect((await refusalOf(get('known', { IfNoneMatch: ETag })))[1]).toBe(304)
  expect((await get('known', { IfMatch: ETag })).ETag).toBe(ETag)
  const later = new Date(Date.now() + 60_000)
  expect((await refusalOf(get('known', { IfModifiedSince: later })))[1]).toBe(304)
  expect(await refusalOf(get('known', { IfMatch: '"other"' }))).toEqual(['PreconditionFailed', 412])
  const long = new Date(0)
  expect((await refusalOf(get('known', { IfUnmodifiedSince: long })))[1]).toBe(412)
  const twice = put('known', 'again', { IfNoneMatch: '*' })
  expect(await refusalOf(twice)).toEqual(['PreconditionFailed', 412])
  const shown = await get('known', {
    ResponseContentType: 'text/html',
    ResponseContentDisposition: 'attachment; filename="x.html"',
  })
  expect(shown).toMatchObject({
    ContentType: 'text/html',
    ContentDisposition: 'attachment; filename="x.html"',
  })
})

test.each<ChecksumAlgorithm>(['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'])(
  'a body with its %s, sent at once or as a stream',
  async (ChecksumAlgorithm) => {
    const bytes = randomBytes(300_000)
    const answer = await put('summed', bytes, { ChecksumAlgorithm })
    expect(answer[`Checksum${ChecksumAlgorithm}`]).toEqual(expect.any(String))
    const stream = Readable.from([bytes.subarray(0, 100_000), bytes.subarray(100_000)])
    const { ETag } = await put('streamed', stream as unknown as Buffer, {
      ChecksumAlgorithm,
      ContentLength: bytes.length,
    })
    expect(ETag).toBe(md5(bytes))
    const got = await (await get('streamed')).Body?.transformToByteArray()
    expect(Buffer.from(got ?? []).equals(bytes)).toBe(true)
  },
)

test('copies keep metadata or take new; onto itself only with new', async () => {
  await put('origin 1', 'copied', {
    Metadata: { a: '1' },
    ContentType: 'text/plain',
  })
  const CopySource = encodeURI(`${Bucket}/origin 1`)
  const copy = (more: object) =>
    plane.s3.send(new CopyObjectCommand({ Bucket: 'open', Key: 'copy', CopySource, ...more }))
  const { CopyObjectResult } = await copy({})
  expect(CopyObjectResult).toMatchObject({ ETag: md5('copied'), LastModified: expect.any(Date) })
  const kept = await plane.s3.send(new GetObjectCommand({ Bucket: 'open', Key: 'copy' }))
  expect(kept).toMatchObject({ Metadata: { a: '1' }, ContentType: 'text/plain' })
  const onto = { Bucket, Key: 'origin 1' }
  expect(await refusalOf(copy(onto))).toEqual(['InvalidRequest', 400])
  await copy({ ...onto, MetadataDirective: 'REPLACE', Metadata: { b: '2' }, ContentType: 'a/b' })
  const replaced = await get('origin 1')
  expect(replaced).toMatchObject({ Metadata: { b: '2' }, ContentType: 'a/b' })
  expect(await replaced.Body?.transformToString()).toBe('copied')
  expect(await refusalOf(copy({ CopySource: 'own/never' }))).toEqual(['NoSuchKey', 404])
  expect(await refusalOf(copy({ CopySource: 'own' }))).toEqual(['InvalidArgument', 400])
})

test('both lists: prefix, delimiter, pages, names in URL encoding', async () => {
  const names = ['list/a', 'list/b/1', 'list/b/2', "list/c & 'd'", 'list/e+f']
  for (const name of names) await put(name, name)
  const list = (more: object) => plane.s3.send(new ListObjectsV2Command({ Bucket, ...more }))
  const all = await list({ Prefix: 'list/' })
  expect(all.Contents?.map(({ Key }) => Key)).toEqual(names)
  expect(all.Contents?.[0]).toMatchObject({
    ETag: md5('list/a'),
    Size: 6,
    LastModified: expect.any(Date),
  })
  expect(all).toMatchObject({ KeyCount: 5, IsTruncated: false, MaxKeys: 1000 })
  const level = await list({ Prefix: 'list/', Delimiter: '/', EncodingType: 'url' })
  expect(level.CommonPrefixes).toEqual([{ Prefix: 'list/b/' }])
  expect(level.Contents?.map(({ Key }) => decodeURIComponent(Key ?? ''))).toEqual([
    'list/a',
    "list/c & 'd'",
    'list/e+f',
  ])
  const seen: (string | undefined)[] = []
  for (let token: string | undefined, more = true; more;) {
    const page = await list({
      Prefix: 'list/',
      Delimiter: '/',
      MaxKeys: 1,
      ContinuationToken: token,
    })
    seen.push(page.Contents?.[0]?.Key ?? page.CommonPrefixes?.[0]?.Prefix)
    token = page.NextContinuationToken
    more = page.IsTruncated === true
  }
  expect(seen).toEqual(['list/a', 'list/b/', "list/c & 'd'", 'list/e+f'])
  expect((await list({ Prefix: 'list/', StartAfter: 'list/b/1' })).KeyCount).toBe(3)
  expect((await list({ MaxKeys: 0 })).KeyCount).toBe(0)
  expect(await refusalOf(list({ ContinuationToken: '%' }))).toEqual(['InvalidArgument', 400])
  expect(await refusalOf(list({ EncodingType: 'hex' }))).toEqual(['InvalidArgument', 400])
  expect(await refusalOf(list({ MaxKeys: -1 }))).toEqual(['InvalidArgument', 400])
  const first = await plane.s3.send(
    new ListObjectsCommand({ Bucket, Prefix: 'list/', MaxKeys: 2, Marker: 'list/a' }),
  )
  expect(first.Contents?.map(({ Key }) => Key)).toEqual(['list/b/1', 'list/b/2'])
  expect(first).toMatchObject({ IsTruncated: true, NextMarker: 'list/b/2', Marker: 'list/a' })
})

test('many are deleted at once; what is not there counts as deleted', async () => {
  for (const name of ['gone/1', 'gone/&2']) await put(name, name)
  const Objects = ['gone/1', 'gone/&2', 'gone/never'].map((Key) => ({ Key }))
  const remove = (more = {}) =>
    plane.s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, ...more } }))
  const { Deleted, Errors } = await remove()
  expect(Deleted).toEqual(Objects)
  expect(Errors).toBeUndefined()
  expect((await remove({ Quiet: true })).Deleted).toBeUndefined()
  expect(await refusalOf(get('gone/1'))).toEqual(['NoSuchKey', 404])
  const many = Array.from({ length: 1001 }, (_, at) => ({ Key: `k${at}` }))
  expect(await refusalOf(remove({ Objects: many }))).toEqual(['MalformedXML', 400])
})

test('in a user’s session policies decide, as on the REST routes', async () => {
  const { s3OfAda, s3OfAnon } = plane
  const mine = { Bucket, Key: `${ada}/mine` }
  await s3OfAda.send(new PutObjectCommand({ ...mine, Body: 'mine' }))
  const got = await s3OfAda.send(new GetObjectCommand(mine))
  expect(await got.Body?.transformToString()).toBe('mine')
  const other = { Bucket, Key: 'bob/hers' }
  await put('bob/hers', 'hers')
  const denied = ['AccessDenied', 403]
  expect(await refusalOf(s3OfAda.send(new PutObjectCommand({ ...other, Body: 'x' })))).toEqual(
    denied,
  )
  expect(await refusalOf(s3OfAda.send(new GetObjectCommand(other)))).toEqual(['NoSuchKey', 404])
  await s3OfAda.send(new DeleteObjectCommand(other))
  expect(await text('bob/hers')).toBe('hers')
  const { Contents } = await s3OfAda.send(new ListObjectsV2Command({ Bucket }))
  expect(Contents?.map(({ Key }) => Key)).toEqual([`${ada}/mine`])
  expect((await s3OfAda.send(new ListBucketsCommand({}))).Buckets ?? []).toEqual([])
  expect(await refusalOf(s3OfAda.send(new CreateBucketCommand({ Bucket: 'adas' })))).toEqual(denied)
  expect(await refusalOf(s3OfAnon.send(new PutObjectCommand({ ...mine, Body: 'x' })))).toEqual(
    denied,
  )
  expect(await refusalOf(s3OfAnon.send(new GetObjectCommand(mine)))).toEqual(['NoSuchKey', 404])
  expect((await s3OfAnon.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(0)
})

test('what one may see and not delete is told apart from what is not there', async () => {
  await plane.sql(`create policy look on storage.objects for select to authenticated
    using (bucket_id = 'own' and name like 'look/%')`)
  await put('look/1', 'seen')
  const Objects = [{ Key: 'look/1' }, { Key: 'look/2' }]
  const { Deleted, Errors } = await plane.s3OfAda.send(
    new DeleteObjectsCommand({ Bucket, Delete: { Objects } }),
  )
  expect(Deleted).toEqual([{ Key: 'look/2' }])
  expect(Errors).toMatchObject([{ Key: 'look/1', Code: 'AccessDenied' }])
  const one = plane.s3OfAda.send(new DeleteObjectCommand({ Bucket, Key: 'look/1' }))
  expect(await refusalOf(one)).toEqual(['AccessDenied', 403])
  await plane.sql('drop policy look on storage.objects')
})

test('limits of bucket and project hold', async () => {
  const small = (Body: string, ContentType: string) =>
    plane.s3.send(new PutObjectCommand({ Bucket: 'small', Key: 'a', Body, ContentType }))
  expect(await refusalOf(small('x'.repeat(1001), 'text/plain'))).toEqual(['EntityTooLarge', 413])
  expect(await refusalOf(small('x', 'text/html'))).toEqual(['InvalidMimeType', 415])
  expect((await small('x', 'text/plain')).ETag).toBe(md5('x'))
  expect(await refusalOf(put('large', Buffer.alloc(40_000_001)))).toEqual(['EntityTooLarge', 413])
})
