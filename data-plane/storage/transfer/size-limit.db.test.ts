import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemOf, startStorage, type StoragePlane } from '../../testing/storage/storage.ts'

const max = 2000
let plane: StoragePlane
let signed: string
beforeAll(async () => {
  plane = await startStorage()
  const { data } = await plane.service.from('own').createSignedUploadUrl('signed', { upsert: true })
  signed = data?.signedUrl.split('/storage/v1')[1] ?? ''
  const storage = {
    fileSizeLimit: max,
    imageTransformation: true,
    s3Protocol: true,
    region: 'local',
    trashDays: 1,
  }
  plane.directory.put({ ...plane.project, settings: { ...plane.project.settings, storage } })
})
afterAll(() => plane.close())

/** No length is promised, so that what counts is what comes. */
const streamed = (size: number) =>
  new ReadableStream({
    start(controller) {
      for (let sent = 0; sent < size; sent += 500) controller.enqueue(new Uint8Array(500))
      controller.close()
    },
  })
function form(size: number): FormData {
  const sent = new FormData()
  sent.set('file', new Blob([new Uint8Array(size)]), 'file')
  return sent
}
const put = (path: string, body: unknown, more: RequestInit = {}) =>
  plane.ask(path, { method: 'PUT', body, duplex: 'half', ...more } as RequestInit)

test.each<[string, (size: number) => Promise<Response>]>([
  ['a body', (size) => put('/object/own/body', new Uint8Array(size))],
  ['a stream without a length', (size) => put('/object/own/stream', streamed(size))],
  ['a form', (size) => put('/object/own/form', form(size))],
  ['a signed address', (size) => put(signed, new Uint8Array(size))],
])('%s: the limit of the project holds', async (_, send) => {
  expect(await problemOf(await send(max + 500))).toEqual([400, '413', 'EntityTooLarge'])
  expect((await send(max)).status).toBe(200)
})

test('an upload that can go on, and a bucket that would allow more, are refused as well', async () => {
  const encoded = (text: string) => Buffer.from(text).toString('base64')
  const begin = (size: number) =>
    plane.ask('/upload/resumable', {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': String(size),
        'upload-metadata': `bucketName ${encoded('own')},objectName ${encoded('resumed')}`,
      },
    })
  expect((await begin(max + 1)).status).toBe(413)
  expect((await begin(max)).status).toBe(201)
  const { error } = await plane.service.createBucket('more', {
    public: false,
    fileSizeLimit: max + 1,
  })
  expect(error).toMatchObject({ status: 400, statusCode: '413' })
})
