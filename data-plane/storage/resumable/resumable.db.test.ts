import { createHash, randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Upload } from 'tus-js-client'
import { ada, bob, startStorage, type StoragePlane } from '../../testing/storage/storage.ts'

const piece = 1024 * 1024
let plane: StoragePlane
let endpoint: string
let adas: string
let bobs: string

beforeAll(async () => {
  plane = await startStorage()
  endpoint = `${plane.url}/storage/v1/upload/resumable`
  adas = plane.token({ role: 'authenticated', sub: ada })
  bobs = plane.token({ role: 'authenticated', sub: bob })
})
afterAll(() => plane.close())

const encoded = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')
const own = (name: string) => ({ bucketName: 'own', objectName: `${ada}/${name}` })

/** One request of the protocol, as Ada unless told. */
const send = (method: string, url: string, headers: Record<string, string>, body?: Buffer) =>
  fetch(url, {
    method,
    headers: { 'tus-resumable': '1.0.0', authorization: `Bearer ${adas}`, ...headers },
    ...(body ? { body: new Uint8Array(body) } : {}),
  })
const create = (
  fields: Record<string, string>,
  length: number,
  more: Record<string, string> = {},
) =>
  send('POST', endpoint, {
    'upload-length': String(length),
    'upload-metadata': encoded(fields),
    ...more,
  })
async function created(name: string, length: number, more?: Record<string, string>) {
  const answer = await create(own(name), length, more)
  expect(answer.status).toBe(201)
  return answer.headers.get('location') ?? ''
}
const patch = (url: string, offset: number, body: Buffer, more: Record<string, string> = {}) =>
  send(
    'PATCH',
    url,
    { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream', ...more },
    body,
  )
const offsetAt = async (url: string) => {
  const answer = await send('HEAD', url, {})
  return [answer.status, answer.headers.get('upload-offset')]
}
async function stored(name: string): Promise<Buffer> {
  const { data, error } = await plane.ada.from('own').download(`${ada}/${name}`)
  if (error) throw error
  return Buffer.from(await data.arrayBuffer())
}

/** The unmodified client. `until`: it is called off once so many bytes have come. */
function upload(bytes: Buffer, name: string, { until = Infinity, uploadUrl = '' } = {}) {
  return new Promise<{ url: string; isWhole: boolean }>((resolve, reject) => {
    const one = new Upload(bytes, {
      endpoint,
      ...(uploadUrl ? { uploadUrl } : {}),
      chunkSize: piece,
      retryDelays: null,
      headers: { authorization: `Bearer ${adas}`, 'x-upsert': 'false' },
      metadata: {
        ...own(name),
        contentType: 'image/png',
        cacheControl: '3600',
        metadata: '{"a":1}',
      },
      onError: reject,
      onSuccess: () => resolve({ url: one.url ?? '', isWhole: true }),
      onChunkComplete: (_, sent) => {
        if (sent < until) return
        void one.abort().then(() => resolve({ url: one.url ?? '', isWhole: false }), reject)
      },
    })
    one.start()
  })
}

test('the unmodified client uploads, breaks off, and goes on where it was', async () => {
  const bytes = randomBytes(3 * piece + 17)
  const { url, isWhole } = await upload(bytes, 'large.png', { until: piece })
  expect(isWhole).toBe(false)
  const [status, offset] = await offsetAt(url)
  expect(status).toBe(200)
  expect(Number(offset)).toBeGreaterThanOrEqual(piece)
  expect(Number(offset)).toBeLessThan(bytes.length)
  expect((await plane.ada.from('own').download(`${ada}/large.png`)).error).not.toBeNull()
  expect((await upload(bytes, 'large.png', { uploadUrl: url })).isWhole).toBe(true)
  expect(md5(await stored('large.png'))).toBe(md5(bytes))
  const { data } = await plane.ada.from('own').info(`${ada}/large.png`)
  expect(data).toMatchObject({
    contentType: 'image/png',
    cacheControl: 'max-age=3600',
    size: bytes.length,
    metadata: { a: 1 },
  })
  // Who has missed the last answer learns that all of it is there.
  expect(await offsetAt(url)).toEqual([200, String(bytes.length)])
})

test('what came before a connection broke is kept', async () => {
  const bytes = randomBytes(500_000)
  const url = await created('broken.bin', bytes.length)
  await new Promise<void>((resolve) => {
    const request = httpRequest(url, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${adas}`,
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
        'content-length': bytes.length,
      },
    })
    request.on('error', () => resolve())
    request.write(bytes.subarray(0, 200_000), () => setImmediate(() => request.destroy()))
    request.once('close', resolve)
  })
  const reached = async () => Number((await offsetAt(url))[1])
  await expect.poll(reached).toBeGreaterThan(0)
  const offset = await reached()
  expect(offset).toBeLessThanOrEqual(200_000)
  expect((await patch(url, offset, bytes.subarray(offset))).status).toBe(204)
  expect(md5(await stored('broken.bin'))).toBe(md5(bytes))
})

test('an upload in the request that begins it, and one of nothing', async () => {
  const bytes = randomBytes(1000)
  const answer = await send(
    'POST',
    endpoint,
    {
      'upload-length': '1000',
      'upload-metadata': encoded(own('at-once')),
      'content-type': 'application/offset+octet-stream',
    },
    bytes,
  )
  expect([answer.status, answer.headers.get('upload-offset')]).toEqual([201, '1000'])
  expect(md5(await stored('at-once'))).toBe(md5(bytes))
  await created('nothing', 0)
  expect((await stored('nothing')).length).toBe(0)
})

test('what the protocol offers', async () => {
  const answer = await send('OPTIONS', endpoint, { authorization: '' })
  expect(answer.status).toBe(204)
  expect(answer.headers.get('tus-version')).toBe('1.0.0')
  expect(answer.headers.get('tus-extension')).toBe(
    'creation,creation-with-upload,termination,expiration',
  )
  expect(Number(answer.headers.get('tus-max-size'))).toBeGreaterThan(0)
  const begun = await create(own('expires'), 5)
  const end = Date.parse(begun.headers.get('upload-expires') ?? '')
  expect(end).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  expect(begun.headers.get('location')?.startsWith(`${endpoint}/`)).toBe(true)
})

test('refusals have their own status', async () => {
  const url = await created('refused', 10)
  expect((await patch(url, 3, Buffer.from('abc'))).status).toBe(409)
  expect((await patch(url, 0, Buffer.alloc(11))).status).toBe(413)
  expect((await patch(`${endpoint}/nobody`, 0, Buffer.from('a'))).status).toBe(404)
  expect((await send('HEAD', url, { authorization: `Bearer ${bobs}` })).status).toBe(404)
  expect((await patch(url, 0, Buffer.from('a'), { authorization: `Bearer ${bobs}` })).status).toBe(
    404,
  )
  expect((await create({ bucketName: 'none', objectName: 'x' }, 1)).status).toBe(403)
  expect((await create({ bucketName: 'own', objectName: `${bob}/x` }, 1)).status).toBe(403)
  expect((await create({ objectName: 'x' }, 1)).status).toBe(400)
  expect((await create({ ...own('x'), metadata: 'not json' }, 1)).status).toBe(400)
  expect((await create({ ...own('x'), contentType: 'a\0/b' }, 1)).status).toBe(400)
  const service = { authorization: `Bearer ${plane.project.serviceKey}` }
  expect((await create({ bucketName: 'none', objectName: 'x' }, 1, service)).status).toBe(404)
  const small = { bucketName: 'small', objectName: 'x', contentType: 'text/plain' }
  const oversized = await create(small, 1001, service)
  expect([oversized.status, await oversized.text()]).toEqual([413, 'Maximum size exceeded\n'])
  expect((await create({ ...small, contentType: 'text/html' }, 1, service)).status).toBe(415)
  expect((await send('POST', endpoint, { 'upload-length': '1', authorization: '' })).status).toBe(
    400,
  )
  expect((await fetch(endpoint, { method: 'POST', headers: service })).status).toBe(412)
})

test('what is there is replaced only by who says so', async () => {
  const bytes = randomBytes(10)
  await plane.ada.from('own').upload(`${ada}/there`, 'first')
  expect((await create(own('there'), 10)).status).toBe(409)
  const url = await created('there', 10, { 'x-upsert': 'true' })
  expect((await patch(url, 0, bytes)).status).toBe(204)
  expect(md5(await stored('there'))).toBe(md5(bytes))
})

test('an end that did not come about is made up for when somebody asks', async () => {
  const url = await created('late', 3)
  await plane.ada.from('own').upload(`${ada}/late`, 'in between')
  expect((await patch(url, 0, Buffer.from('abc'))).status).toBe(409)
  await plane.ada.from('own').remove([`${ada}/late`])
  expect(await offsetAt(url)).toEqual([200, '3'])
  expect((await stored('late')).toString()).toBe('abc')
})

test('an upload is called off, but not one that has ended', async () => {
  const url = await created('called-off', 10)
  expect((await patch(url, 0, Buffer.from('abc'))).status).toBe(204)
  expect((await send('DELETE', url, {})).status).toBe(204)
  expect((await send('HEAD', url, {})).status).toBe(404)
  const done = await created('done', 1)
  await patch(done, 0, Buffer.from('a'))
  expect((await send('DELETE', done, {})).status).toBe(400)
  expect((await stored('done')).toString()).toBe('a')
})

test('two requests at once: one goes on, and not a byte counts twice', async () => {
  const url = await created('twice', 8)
  const both = await Promise.all([0, 0].map((at) => patch(url, at, Buffer.from('1234'))))
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([204, 409]))
  expect((await patch(url, 4, Buffer.from('5678'))).status).toBe(204)
  expect((await stored('twice')).toString()).toBe('12345678')
})

test('with the signature for one place, and for no other', async () => {
  const { data } = await plane.ada.from('own').createSignedUploadUrl(`${ada}/signed`)
  const signed = (fields: Record<string, string>, signature = data?.token ?? '') =>
    fetch(`${endpoint}/sign`, {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': '2',
        'upload-metadata': encoded(fields),
        'x-signature': signature,
      },
    })
  expect((await signed(own('other'))).status).toBe(400)
  expect((await signed(own('signed'), 'x.y.z')).status).toBe(400)
  const begun = await signed(own('signed'))
  const url = begun.headers.get('location') ?? ''
  expect(url).toContain('/upload/resumable/sign/')
  const headers = { 'x-signature': data?.token ?? '', authorization: '' }
  expect((await patch(url, 0, Buffer.from('ab'), { ...headers, 'x-signature': '' })).status).toBe(
    400,
  )
  expect((await patch(url, 0, Buffer.from('ab'), headers)).status).toBe(204)
  expect((await stored('signed')).toString()).toBe('ab')
  const { data: info } = await plane.service.from('own').list(ada, { search: 'signed' })
  expect(info).toHaveLength(1)
})
