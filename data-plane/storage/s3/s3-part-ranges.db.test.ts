import { randomBytes } from 'node:crypto'
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
  type GetObjectCommandInput,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusalOf, startS3, type S3Plane } from '../../testing/storage/s3.ts'

const large = 5 * 1024 * 1024
const bytes = randomBytes(2 * large + 3)
const Bucket = 'own'
let plane: S3Plane
let tag: string | undefined
beforeAll(async () => {
  plane = await startS3()
  tag = await put('parted', [0, large, 2 * large, bytes.length])
  await plane.s3.send(new PutObjectCommand({ Bucket, Key: 'plain', Body: 'whole' }))
})
afterAll(async () => {
  plane.closeClients()
  await plane.close()
})

/** An upload of the bytes between these bounds; the numbers of its parts have gaps. */
async function put(Key: string, bounds: number[]) {
  const { UploadId } = await plane.s3.send(new CreateMultipartUploadCommand({ Bucket, Key }))
  const Parts = []
  for (const [at, start] of bounds.slice(0, -1).entries()) {
    const PartNumber = 3 * at + 2
    const Body = bytes.subarray(start, bounds[at + 1])
    const part = { Bucket, Key, UploadId, PartNumber, Body }
    const { ETag } = await plane.s3.send(new UploadPartCommand(part))
    Parts.push({ PartNumber, ETag })
  }
  const whole = { Bucket, Key, UploadId, MultipartUpload: { Parts } }
  return (await plane.s3.send(new CompleteMultipartUploadCommand(whole))).ETag
}
const get = (Key: string, PartNumber: number, more: Partial<GetObjectCommandInput> = {}) =>
  plane.s3.send(new GetObjectCommand({ Bucket, Key, PartNumber, ...more }))
const head = (Key: string, PartNumber: number) =>
  plane.s3.send(new HeadObjectCommand({ Bucket, Key, PartNumber }))
/** What both tell of a part: its status, range, length and how many there are. */
async function partHead(Key: string, PartNumber: number) {
  const answers = [await get(Key, PartNumber), await head(Key, PartNumber)]
  const [first, second] = answers.map(({ $metadata, ContentRange, ContentLength, PartsCount }) => [
    $metadata.httpStatusCode,
    ContentRange,
    ContentLength,
    PartsCount,
  ])
  expect(second).toEqual(first)
  return first
}

test.each([0, 10_001, -1, 1.5])('%d is the number of no part', async (number) => {
  expect(await refusalOf(get('parted', number))).toEqual(['InvalidArgument', 400])
})

test('a part that is not there, and a part with a range, are refused', async () => {
  expect(await refusalOf(get('parted', 4))).toEqual(['InvalidPartNumber', 416])
  expect((await refusalOf(head('parted', 4)))[1]).toBe(416)
  expect(await refusalOf(get('plain', 2))).toEqual(['InvalidPartNumber', 416])
  const both = get('parted', 1, { Range: 'bytes=0-1' })
  expect(await refusalOf(both)).toEqual(['InvalidRequest', 400])
  expect(await refusalOf(get('nothing', 1))).toEqual(['NoSuchKey', 404])
  expect(await refusalOf(get('parted', 1, { IfMatch: '"other"' }))).toEqual([
    'PreconditionFailed',
    412,
  ])
  expect((await refusalOf(get('parted', 1, { IfNoneMatch: tag })))[1]).toBe(304)
})

test('every part comes by its number, and all of them are the object', async () => {
  const size = bytes.length
  expect(await partHead('parted', 1)).toEqual([206, `bytes 0-${large - 1}/${size}`, large, 3])
  expect(await partHead('parted', 2)).toEqual([
    206,
    `bytes ${large}-${2 * large - 1}/${size}`,
    large,
    3,
  ])
  expect(await partHead('parted', 3)).toEqual([206, `bytes ${2 * large}-${size - 1}/${size}`, 3, 3])
  const parts = []
  for (const number of [1, 2, 3]) {
    const { Body, ETag } = await get('parted', number)
    expect(ETag).toBe(tag)
    parts.push((await Body?.transformToByteArray()) ?? [])
  }
  expect(Buffer.concat(parts.map((part) => Buffer.from(part))).equals(bytes)).toBe(true)
  const whole = await plane.s3.send(new HeadObjectCommand({ Bucket, Key: 'parted' }))
  expect([whole.$metadata.httpStatusCode, whole.PartsCount]).toEqual([200, undefined])
})

test('a page of another origin reads a part by a signed address, and how many there are', async () => {
  const command = new GetObjectCommand({ Bucket, Key: 'parted', PartNumber: 3 })
  const address = await getSignedUrl(plane.s3, command)
  const { status, headers } = await fetch(address, { headers: { origin: 'https://example.com' } })
  expect([status, headers.get('x-amz-mp-parts-count')]).toEqual([206, '3'])
  const exposed = headers.get('access-control-expose-headers')?.split(', ')
  expect(exposed).toEqual(expect.arrayContaining(['Content-Range', 'x-amz-mp-parts-count']))
  const other = address.replace('partNumber=3', 'partNumber=2')
  expect((await fetch(other)).status).toBe(403)
})

test('an object that was not made of parts is its own first one, an empty one too', async () => {
  expect(await partHead('plain', 1)).toEqual([206, 'bytes 0-4/5', 5, undefined])
  await plane.s3.send(new PutObjectCommand({ Bucket, Key: 'empty', Body: '' }))
  expect(await partHead('empty', 1)).toEqual([200, undefined, 0, undefined])
  await put('none', [0, 0])
  expect(await partHead('none', 1)).toEqual([200, undefined, 0, 1])
  await put('ends empty', [0, large, large])
  expect(await partHead('ends empty', 2)).toEqual([206, undefined, 0, 2])
})

test('parts go with the object: moved, copied and out of the trash; what takes its place has none', async () => {
  const moves = plane.service.from(Bucket)
  await put('first', [0, large, large + 9])
  const second = [206, `bytes ${large}-${large + 8}/${large + 9}`, 9, 2]
  await moves.move('first', 'moved')
  expect(await partHead('moved', 2)).toEqual(second)
  await plane.s3.send(new DeleteObjectCommand({ Bucket, Key: 'moved' }))
  const { body } = await plane.own('GET', '/trash?search=moved')
  const [{ id } = { id: '' }] = body['items'] as { id: string }[]
  expect((await plane.own('POST', `/trash/${id}`, {})).status).toBe(200)
  expect(await partHead('moved', 2)).toEqual(second)
  for (const MetadataDirective of ['COPY', 'REPLACE'] as const) {
    const copy = {
      Bucket,
      Key: MetadataDirective,
      CopySource: `${Bucket}/moved`,
      MetadataDirective,
    }
    await plane.s3.send(new CopyObjectCommand(copy))
    expect(await partHead(MetadataDirective, 2)).toEqual(second)
  }
  await plane.s3.send(new PutObjectCommand({ Bucket, Key: 'moved', Body: 'new' }))
  expect(await partHead('moved', 1)).toEqual([206, 'bytes 0-2/3', 3, undefined])
})

test.each(['null', '5', '[]', '[[1]]', '[[3,1],["2",1]]', '[[-1,1],[6,1]]', '[[5,2]]', '{"a":1}'])(
  'sizes that were not kept, or were written by hand as %s, count as one part',
  async (sizes) => {
    await plane.s3.send(new PutObjectCommand({ Bucket, Key: 'seeded', Body: 'whole' }))
    await plane.sql(`update storage.objects
      set metadata = metadata || jsonb_build_object('partSizes', '${sizes}'::jsonb) where name = 'seeded'`)
    expect(await partHead('seeded', 1)).toEqual([206, 'bytes 0-4/5', 5, undefined])
    expect(await refusalOf(get('seeded', 2))).toEqual(['InvalidPartNumber', 416])
  },
)
