import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  type ListMultipartUploadsCommandOutput,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, bob } from '../../testing/storage/storage.ts'
import { refusalOf, startS3, storageSettings, type S3Plane } from '../../testing/storage/s3.ts'

const least = 5 * 1024 * 1024
const large = randomBytes(least)
let plane: S3Plane
beforeAll(async () => {
  plane = await startS3()
})
afterAll(async () => {
  plane.closeClients()
  await plane.close()
})

const Bucket = 'own'
type Hands = S3Plane['s3']
async function begin(Key: string, s3: Hands = plane.s3, more = {}) {
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ...more }))
  return { Bucket, Key, UploadId: UploadId ?? '' }
}
type Begun = Awaited<ReturnType<typeof begin>>
async function part(upload: Begun, PartNumber: number, Body: Buffer | string, s3 = plane.s3) {
  const { ETag } = await s3.send(new UploadPartCommand({ ...upload, PartNumber, Body }))
  return { ETag, PartNumber }
}
const complete = (upload: Begun, Parts: CompletedPart[], s3 = plane.s3) =>
  s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
async function bytesOf(Key: string): Promise<Buffer> {
  const { Body } = await plane.s3.send(new GetObjectCommand({ Bucket, Key }))
  return Buffer.from((await Body?.transformToByteArray()) ?? [])
}
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest()

test('an upload in parts becomes one object with all of its metadata, in the order of their numbers', async () => {
  const content = { ContentType: 'text/plain', Metadata: { a: '1' }, CacheControl: 'max-age=9' }
  const upload = await begin('whole', plane.s3, content)
  const last = await part(upload, 9, 'end')
  const first = await part(upload, 2, large)
  const { ETag, Location } = await complete(upload, [first, last])
  const sums = Buffer.concat([md5(large), md5(Buffer.from('end'))])
  expect(ETag).toBe(`"${md5(sums).toString('hex')}-2"`)
  expect(Location).toBe(`${plane.endpoint}/own/whole`)
  expect((await bytesOf('whole')).equals(Buffer.concat([large, Buffer.from('end')]))).toBe(true)
  const got = await plane.s3.send(new GetObjectCommand({ Bucket, Key: 'whole', Range: 'bytes=-3' }))
  expect(got).toMatchObject({ ...content, ETag })
  expect(await got.Body?.transformToString()).toBe('end')
  expect(await refusalOf(complete(upload, [first]))).toEqual(['NoSuchUpload', 404])
  expect(await plane.sql('select from storage.s3_multipart_uploads_parts')).toEqual([])
})

test('parts that do not fit together are refused, and the upload stays as it is', async () => {
  const upload = await begin('wrong')
  const [one, two] = [await part(upload, 1, 'small'), await part(upload, 2, 'end')]
  expect(await refusalOf(complete(upload, [one, two]))).toEqual(['EntityTooSmall', 400])
  expect(await refusalOf(complete(upload, [two, one]))).toEqual(['InvalidPartOrder', 400])
  expect(await refusalOf(complete(upload, [one, one]))).toEqual(['InvalidPartOrder', 400])
  const strange = { PartNumber: 3, ETag: one.ETag }
  expect(await refusalOf(complete(upload, [strange]))).toEqual(['InvalidPart', 400])
  const other = { PartNumber: 1, ETag: two.ETag }
  expect(await refusalOf(complete(upload, [other]))).toEqual(['InvalidPart', 400])
  expect(await refusalOf(complete(upload, []))).toEqual(['MalformedXML', 400])
  for (const number of [0, 10_001, -1])
    expect(await refusalOf(part(upload, number, 'x'))).toEqual(['InvalidArgument', 400])
  await complete(upload, [one])
  expect(String(await bytesOf('wrong'))).toBe('small')
})

test('a part that is sent again takes the place of the first; called off, nothing is left', async () => {
  const before = await stored()
  const upload = await begin('again')
  await part(upload, 1, 'first')
  const second = await part(upload, 1, 'second')
  expect(await stored()).toBe(before + 1)
  const { Parts } = await plane.s3.send(new ListPartsCommand(upload))
  expect(Parts).toMatchObject([{ PartNumber: 1, Size: 6, ETag: second.ETag }])
  await plane.s3.send(new AbortMultipartUploadCommand(upload))
  expect(await stored()).toBe(before)
  for (const work of [
    () => part(upload, 2, 'x'),
    () => complete(upload, [second]),
    () => plane.s3.send(new ListPartsCommand(upload)),
    () => plane.s3.send(new AbortMultipartUploadCommand(upload)),
  ])
    expect(await refusalOf(work())).toEqual(['NoSuchUpload', 404])
  expect(await refusalOf(bytesOf('again'))).toEqual(['NoSuchKey', 404])
})

/** How many files there are with the bytes of the project. */
async function stored(): Promise<number> {
  const found = await readdir(`${plane.storageFolder}/${plane.project.ref}`, { recursive: true })
  return found.filter((name) => name.includes('/')).length
}

test('an upload is its bucket’s and key’s, and its owner’s', async () => {
  const upload = await begin(`${ada}/mine`, plane.s3OfAda)
  const bobs = plane.client(plane.session(plane.token({ role: 'authenticated', sub: bob })))
  const noUpload = ['NoSuchUpload', 404]
  expect(await refusalOf(part({ ...upload, Bucket: 'open' }, 1, 'x'))).toEqual(noUpload)
  expect(await refusalOf(part({ ...upload, Key: 'other' }, 1, 'x'))).toEqual(noUpload)
  for (const hands of [bobs, plane.s3OfAnon]) {
    expect(await refusalOf(part(upload, 1, 'x', hands))).toEqual(noUpload)
    expect(await refusalOf(hands.send(new ListPartsCommand(upload)))).toEqual(noUpload)
    expect(await refusalOf(hands.send(new AbortMultipartUploadCommand(upload)))).toEqual(noUpload)
    const { Uploads } = await hands.send(new ListMultipartUploadsCommand({ Bucket }))
    expect(Uploads).toBeUndefined()
  }
  const resumable = await plane.ask('/upload/resumable', {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': '9',
      'upload-metadata': `bucketName ${btoa(Bucket)},objectName ${btoa('tus')}`,
    },
  })
  const id = resumable.headers.get('location')?.split('/').at(-1) ?? ''
  expect(await refusalOf(part({ Bucket, Key: 'tus', UploadId: id }, 1, 'x'))).toEqual(noUpload)
  expect(await refusalOf(begin('bob/hers', plane.s3OfAda))).toEqual(['AccessDenied', 403])
  const one = await part(upload, 1, 'mine', plane.s3OfAda)
  await complete(upload, [one], plane.s3OfAda)
  const { data } = await plane.ada.from(Bucket).info(`${ada}/mine`)
  expect(data).toMatchObject({ size: 4 })
  const [row] = await plane.sql(`select owner_id from storage.objects where name = '${ada}/mine'`)
  expect(row).toEqual({ owner_id: ada })
})

test('lists of parts and uploads come in pages', async () => {
  const uploads = [await begin('page/a'), await begin('page/a'), await begin('page/b')]
  const [first] = uploads
  if (!first) throw new Error('nothing was begun')
  for (const number of [1, 2, 3]) await part(first, number, String(number))
  const parts = (more: object) => plane.s3.send(new ListPartsCommand({ ...first, ...more }))
  expect(await parts({ MaxParts: 2 })).toMatchObject({
    IsTruncated: true,
    NextPartNumberMarker: '2',
  })
  const { Parts } = await parts({ PartNumberMarker: '2' })
  expect(Parts?.map(({ PartNumber }) => PartNumber)).toEqual([3])
  const ids: (string | undefined)[] = []
  let [KeyMarker, UploadIdMarker]: (string | undefined)[] = []
  for (let more = true; more;) {
    const page: ListMultipartUploadsCommandOutput = await plane.s3.send(
      new ListMultipartUploadsCommand({
        Bucket,
        Prefix: 'page/',
        MaxUploads: 1,
        KeyMarker,
        UploadIdMarker,
      }),
    )
    ids.push(page.Uploads?.[0]?.UploadId)
    ;[KeyMarker, UploadIdMarker] = [page.NextKeyMarker, page.NextUploadIdMarker]
    more = page.IsTruncated === true
  }
  expect(ids).toHaveLength(3)
  expect(new Set(ids)).toEqual(new Set(uploads.map(({ UploadId }) => UploadId)))
  for (const upload of uploads) await plane.s3.send(new AbortMultipartUploadCommand(upload))
})

test('parts are copied out of objects, whole and in part', async () => {
  await plane.s3.send(new PutObjectCommand({ Bucket, Key: 'source', Body: '0123456789' }))
  const upload = await begin('copied')
  const copy = (PartNumber: number, CopySourceRange?: string) =>
    plane.s3.send(
      new UploadPartCopyCommand({
        ...upload,
        PartNumber,
        CopySource: 'own/source',
        CopySourceRange,
      }),
    )
  expect(await refusalOf(copy(1, 'bytes=8-10'))).toEqual(['InvalidRange', 416])
  expect(await refusalOf(copy(1, 'bytes=5'))).toEqual(['InvalidArgument', 400])
  const { CopyPartResult } = await copy(1, 'bytes=2-5')
  await complete(upload, [{ PartNumber: 1, ETag: CopyPartResult?.ETag }])
  expect(String(await bytesOf('copied'))).toBe('2345')
})

test('all parts together keep to the limit of the project', async () => {
  const settings = { ...plane.project.settings, storage: { ...storageSettings, fileSizeLimit: 9 } }
  const upload = await begin('limited')
  plane.directory.put({ ...plane.project, settings })
  await part(upload, 1, '12345')
  await part(upload, 1, '123456')
  expect(await refusalOf(part(upload, 2, '1234'))).toEqual(['EntityTooLarge', 413])
  const two = await part(upload, 2, '123')
  const lower = { ...storageSettings, fileSizeLimit: 2 }
  plane.directory.put({ ...plane.project, settings: { ...settings, storage: lower } })
  expect(await refusalOf(complete(upload, [two]))).toEqual(['EntityTooLarge', 413])
  plane.directory.put(plane.project)
  await complete(upload, [two])
})

test('the client’s own upload of a stream comes through, whoever else completes at once', async () => {
  const bytes = randomBytes(12 * 1024 * 1024)
  const Body = Readable.from(
    Array.from({ length: 12 }, (_, at) => bytes.subarray(at << 20, (at + 1) << 20)),
  )
  const upload = new Upload({ client: plane.s3, params: { Bucket, Key: 'stream', Body } })
  await upload.done()
  expect((await bytesOf('stream')).equals(bytes)).toBe(true)
  const twice = await begin('twice')
  const one = await part(twice, 1, 'once')
  const answers = await Promise.all([1, 2].map(() => refusalOf(complete(twice, [one]))))
  expect(answers.map(([name]) => name)).toContain('')
  expect(String(await bytesOf('twice'))).toBe('once')
})

test('what nobody completes goes after a week', async () => {
  const old = await begin('old')
  await plane.sql(`update storage.s3_multipart_uploads set created_at = now() - interval '8 days'
    where id = '${old.UploadId}'`)
  const young = await begin('young')
  expect(await refusalOf(part(old, 1, 'x'))).toEqual(['NoSuchUpload', 404])
  expect((await part(young, 1, 'x')).ETag).toBeDefined()
})
