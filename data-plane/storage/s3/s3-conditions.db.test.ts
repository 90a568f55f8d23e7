import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
  type GetObjectCommandInput,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { refusalOf, startS3, type S3Plane } from '../../testing/storage/s3.ts'

let plane: S3Plane
let tag: string
beforeAll(async () => {
  plane = await startS3()
})
afterAll(async () => {
  plane.closeClients()
  await plane.close()
})
const known = { Bucket: 'own', Key: 'known' }
beforeEach(async () => {
  tag = (await plane.s3.send(new PutObjectCommand({ ...known, Body: 'first' }))).ETag ?? ''
})

const other = '"0123456789abcdef0123456789abcdef"'
const [long, later] = [new Date(0), new Date(Date.now() + 3600_000)]
const failed = ['PreconditionFailed', 412]
const text = async (Key = 'known') => {
  const { Body } = await plane.s3.send(new GetObjectCommand({ Bucket: 'own', Key }))
  return Body?.transformToString()
}

/** A condition with the ETag of the object as `ours`. */
const reads: [Partial<GetObjectCommandInput>, number][] = [
  [{ IfMatch: 'ours' }, 200],
  [{ IfMatch: other }, 412],
  [{ IfMatch: '*' }, 200],
  [{ IfNoneMatch: 'ours' }, 304],
  [{ IfNoneMatch: other }, 200],
  [{ IfModifiedSince: long }, 200],
  [{ IfModifiedSince: later }, 304],
  [{ IfUnmodifiedSince: later }, 200],
  [{ IfUnmodifiedSince: long }, 412],
  // The tag decides where both are said.
  [{ IfMatch: 'ours', IfUnmodifiedSince: long }, 200],
  [{ IfNoneMatch: other, IfModifiedSince: later }, 200],
  [{ IfMatch: other, IfNoneMatch: 'ours' }, 412],
]
const withTag = <T extends object>(conditions: T): T =>
  Object.assign(
    {},
    ...Object.entries(conditions).map(([name, value]) => ({
      [name]: value === 'ours' ? tag : value,
    })),
  ) as T

test.each(reads)('Get and Head with %o: %i', async (conditions, status) => {
  for (const Command of [GetObjectCommand, HeadObjectCommand]) {
    const work = plane.s3.send(
      new Command({ ...known, ...withTag(conditions) }) as GetObjectCommand,
    )
    if (status === 200) {
      const { ETag, Body } = await work
      expect(ETag).toBe(tag)
      await Body?.transformToByteArray()
    } else expect((await refusalOf(work))[1]).toBe(status)
  }
})

const sources: [object, boolean][] = [
  [{ CopySourceIfMatch: 'ours' }, true],
  [{ CopySourceIfMatch: other }, false],
  [{ CopySourceIfNoneMatch: 'ours' }, false],
  [{ CopySourceIfNoneMatch: other }, true],
  [{ CopySourceIfModifiedSince: long }, true],
  [{ CopySourceIfModifiedSince: later }, false],
  [{ CopySourceIfUnmodifiedSince: later }, true],
  [{ CopySourceIfUnmodifiedSince: long }, false],
  [{ CopySourceIfMatch: 'ours', CopySourceIfUnmodifiedSince: long }, true],
  [{ CopySourceIfNoneMatch: 'ours', CopySourceIfModifiedSince: long }, false],
]
test.each(sources)('copies of objects and into parts, with %o: %s', async (conditions, isDone) => {
  const target = { Bucket: 'own', Key: 'copied' }
  const source = { CopySource: 'own/known', ...withTag(conditions) }
  const { UploadId } = await plane.s3.send(new CreateMultipartUploadCommand(target))
  const part = { ...target, ...source, UploadId, PartNumber: 1, CopySourceRange: 'bytes=1-2' }
  for (const answer of [
    await refusalOf(plane.s3.send(new CopyObjectCommand({ ...target, ...source }))),
    await refusalOf(plane.s3.send(new UploadPartCopyCommand(part))),
  ])
    expect(answer).toEqual(isDone ? ['', undefined] : failed)
})

test('an upload takes the place of the one object that it names, or of none', async () => {
  const put = (conditions: object, Body = 'second', Key = 'known') =>
    plane.s3.send(new PutObjectCommand({ Bucket: 'own', Key, Body, ...conditions }))
  expect(await refusalOf(put({ IfMatch: other }))).toEqual(failed)
  expect(await refusalOf(put({ IfNoneMatch: '*' }))).toEqual(failed)
  expect(await refusalOf(put({ IfNoneMatch: other }))).toEqual(['NotImplemented', 501])
  expect(await refusalOf(put({ IfMatch: tag, IfNoneMatch: '*' }))).toEqual(['InvalidRequest', 400])
  expect(await refusalOf(put({ IfMatch: '*' }, 'x', 'never'))).toEqual(['NoSuchKey', 404])
  expect(await text()).toBe('first')
  await put({ IfMatch: tag })
  expect(await text()).toBe('second')
  await put({ IfMatch: '*' }, 'third')
  await put({ IfNoneMatch: '*' }, 'new', `new-${Date.now()}`)
  expect(await text()).toBe('third')
})

test('of several that name the same object, one takes its place', async () => {
  const bodies = Array.from({ length: 8 }, (_, at) => `by ${at}`)
  const answers = await Promise.all(
    bodies.map((Body) =>
      refusalOf(plane.s3.send(new PutObjectCommand({ ...known, Body, IfMatch: tag }))),
    ),
  )
  const done = bodies.filter((_, at) => answers[at]?.[0] === '')
  expect(done).toHaveLength(1)
  expect(answers.filter(([name]) => name === 'PreconditionFailed')).toHaveLength(7)
  expect(await text()).toBe(done[0])
})

test('a copy and an upload in parts can be for a new key only', async () => {
  const copy = { ...known, CopySource: 'own/known', MetadataDirective: 'REPLACE' } as const
  const copied = plane.s3.send(new CopyObjectCommand({ ...copy, IfNoneMatch: '*' }))
  expect(await refusalOf(copied)).toEqual(failed)
  const { UploadId } = await plane.s3.send(new CreateMultipartUploadCommand(known))
  const part = { ...known, UploadId, PartNumber: 1, Body: 'joined' }
  const { ETag } = await plane.s3.send(new UploadPartCommand(part))
  const complete = (conditions: object) =>
    plane.s3.send(
      new CompleteMultipartUploadCommand({
        ...known,
        UploadId,
        MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
        ...conditions,
      }),
    )
  expect(await refusalOf(complete({ IfNoneMatch: '*' }))).toEqual(failed)
  expect(await refusalOf(complete({ IfMatch: other }))).toEqual(failed)
  expect(await text()).toBe('first')
  await complete({ IfMatch: tag })
  expect(await text()).toBe('joined')
})
