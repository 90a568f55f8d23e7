import { gzipSync } from 'node:zlib'
import {
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, problemOf } from '../../testing/storage/storage.ts'
import { refusalOf, startS3, type S3Plane } from '../../testing/storage/s3.ts'

let plane: S3Plane
beforeAll(async () => {
  plane = await startS3()
})
afterAll(async () => {
  plane.closeClients()
  await plane.close()
})

const Bucket = 'own'
const put = (Key: string, Body = '', more = {}) =>
  plane.s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.length, ...more }))
const list = (more: object) => plane.s3.send(new ListObjectsV2Command({ Bucket, ...more }))
const keys = async (more: object) => {
  const { Contents = [], CommonPrefixes = [] } = await list(more)
  return [...Contents.map(({ Key }) => Key), ...CommonPrefixes.map(({ Prefix }) => Prefix)]
}

test('an object that stands for a folder is made, found, listed, copied and deleted', async () => {
  await put('tools/', '', { ContentType: 'application/x-directory' })
  await put('tools/sub/')
  await put('tools/a.txt', 'a')
  const head = await plane.s3.send(new HeadObjectCommand({ Bucket, Key: 'tools/' }))
  expect(head).toMatchObject({ ContentLength: 0, ContentType: 'application/x-directory' })
  expect(await keys({})).toEqual(['tools/', 'tools/a.txt', 'tools/sub/'])
  expect(await keys({ Delimiter: '/' })).toEqual(['tools/'])
  expect(await keys({ Delimiter: '/', Prefix: 'tools/' })).toEqual([
    'tools/',
    'tools/a.txt',
    'tools/sub/',
  ])
  const seen: (string | undefined)[] = []
  for (let token: string | undefined, more = true; more;) {
    const page = await list({
      Prefix: 'tools/',
      Delimiter: '/',
      MaxKeys: 1,
      ContinuationToken: token,
    })
    seen.push(page.Contents?.[0]?.Key ?? page.CommonPrefixes?.[0]?.Prefix)
    token = page.NextContinuationToken
    more = page.IsTruncated === true
  }
  expect(seen).toEqual(['tools/', 'tools/a.txt', 'tools/sub/'])
  const copy = { Bucket, Key: 'moved/', CopySource: 'own/tools/' }
  await plane.s3.send(new CopyObjectCommand(copy))
  for (const Key of ['moved/', 'tools/sub/'])
    await plane.s3.send(new DeleteObjectCommand({ Bucket, Key }))
  expect(await keys({})).toEqual(['tools/', 'tools/a.txt'])
  for (const Key of ['/', 'a//', '/a/', '../', 'a/./'])
    expect((await refusalOf(put(Key)))[1]).toBe(400)
})

test('policies decide about it as about any other', async () => {
  const { s3OfAda } = plane
  await s3OfAda.send(new PutObjectCommand({ Bucket, Key: `${ada}/folder/`, ContentLength: 0 }))
  const refused = s3OfAda.send(new PutObjectCommand({ Bucket, Key: 'folder/', ContentLength: 0 }))
  expect(await refusalOf(refused)).toEqual(['AccessDenied', 403])
  await s3OfAda.send(new DeleteObjectCommand({ Bucket, Key: `${ada}/folder/` }))
})

test('the REST routes see a folder, and make none themselves', async () => {
  const own = plane.service.from(Bucket)
  const [top, inside] = [await own.list(''), await own.list('tools', { limit: 1 })]
  expect(top.data?.map(({ name, id }) => [name, id])).toEqual([['tools', null]])
  // Without a line of no name, which would take the place of another one.
  expect(inside.data?.map(({ name }) => name)).toEqual(['a.txt'])
  const byTime = await own.list('tools', { sortBy: { column: 'created_at', order: 'desc' } })
  expect(byTime.data?.map(({ name }) => name)).toEqual(['a.txt'])
  const upload = await plane.ask('/object/own/by-rest/', { method: 'POST', body: 'x' })
  expect(await problemOf(upload)).toEqual([400, '400', 'InvalidKey'])
})

test('the dashboard shows a folder, and moves and deletes it with what stands for it', async () => {
  const own = async (path: string, body: object) => {
    const response = await fetch(`${new URL(plane.url).origin}/internal/storage/${path}`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer a token that only our own programs know',
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    return (await response.json()) as { entries?: { name: string }[] }
  }
  const round = (kind: string, item: object) =>
    own('rounds', { ref, kind, bucket: Bucket, to_bucket: null, item, after: '' })
  const { ref } = plane.project
  expect(await round('move', { from: 'tools/', to: 'kit/' })).toMatchObject({ done: 2, failed: 0 })
  for (const sort of ['name', 'created_at']) {
    const { entries } = await own(`${ref}/buckets/own/objects/list`, { path: 'kit', sort })
    expect(entries?.map(({ name }) => name)).toEqual(['a.txt'])
  }
  expect(await round('copy', { from: 'kit/', to: 'box/' })).toMatchObject({ done: 2, failed: 0 })
  expect(await keys({ Prefix: 'box/' })).toEqual(['box/', 'box/a.txt'])
  for (const from of ['kit/', 'box/'])
    expect(await round('remove', { from })).toMatchObject({ done: 2, failed: 0 })
  expect(await keys({ Delimiter: '/' })).toEqual([])
})

test('what an upload says of its content comes with every download, and with copies', async () => {
  const content = {
    ContentType: 'text/plain',
    ContentEncoding: 'gzip',
    ContentDisposition: 'attachment; filename="poem.txt"',
    ContentLanguage: 'en-GB',
    Expires: new Date('2031-05-06T07:08:09Z'),
  }
  const Body = gzipSync('roses are red') as unknown as string
  await put('poem', Body, content)
  const get = (Key: string) => plane.s3.send(new GetObjectCommand({ Bucket, Key }))
  expect(await get('poem')).toMatchObject(content)
  await plane.s3.send(new CopyObjectCommand({ Bucket, Key: 'kept', CopySource: 'own/poem' }))
  expect(await get('kept')).toMatchObject(content)
  const MetadataDirective = 'REPLACE'
  const replaced = { Bucket, Key: 'new', CopySource: 'own/poem', MetadataDirective } as const
  await plane.s3.send(new CopyObjectCommand({ ...replaced, ContentLanguage: 'fr' }))
  const renewed = await get('new')
  expect([renewed.ContentLanguage, renewed.ContentEncoding]).toEqual(['fr', undefined])
  expect(renewed.ExpiresString).toBeUndefined()
  const Expires = new Date('2032-01-01T00:00:00Z')
  await plane.s3.send(new CopyObjectCommand({ ...replaced, Expires }))
  expect((await get('new')).ExpiresString).toBe('Thu, 01 Jan 2032 00:00:00 GMT')
  const parts = { Bucket, Key: 'parts' }
  const { UploadId } = await plane.s3.send(
    new CreateMultipartUploadCommand({ ...parts, ...content }),
  )
  const { ETag } = await plane.s3.send(
    new UploadPartCommand({ ...parts, UploadId, PartNumber: 1, Body }),
  )
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] }
  await plane.s3.send(new CompleteMultipartUploadCommand({ ...parts, UploadId, MultipartUpload }))
  expect(await get('parts')).toMatchObject(content)
  // A browser takes the coding off, and saves it under the name.
  const rest = await plane.ask('/object/own/poem')
  expect(await rest.text()).toBe('roses are red')
  expect(rest.headers.get('content-disposition')).toBe(content.ContentDisposition)
  expect(rest.headers.get('expires')).toBe('Tue, 06 May 2031 07:08:09 GMT')
  const override = { Bucket, Key: 'poem', ResponseExpires: Expires }
  expect(await plane.s3.send(new HeadObjectCommand(override))).toMatchObject({ Expires })
  const named = await plane.ask('/object/own/poem?download=other.txt')
  await named.arrayBuffer()
  expect(named.headers.get('content-disposition')).toContain('other.txt')
  const odd = put('odd', 'x', { ContentDisposition: 'x'.repeat(1025) })
  expect(await refusalOf(odd)).toEqual(['InvalidArgument', 400])
})
