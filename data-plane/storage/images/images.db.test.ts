import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemOf, startStorage, type StoragePlane } from '../../testing/storage/storage.ts'

let plane: StoragePlane
beforeAll(async () => {
  plane = await startStorage()
  const create = { width: 80, height: 40, channels: 3, background: '#3366cc' } as const
  const png = await sharp({ create }).png().toBuffer()
  for (const bucket of ['own', 'open'])
    await plane.service.from(bucket).upload('img/blue.png', png, { contentType: 'image/png' })
  await plane.service.from('open').upload('img/text.png', 'no image', { contentType: 'image/png' })
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  await plane.service.from('open').upload('img/a.svg', svg, { contentType: 'image/svg+xml' })
})
afterAll(() => plane.close())

const get = (query: string, headers: Record<string, string> = {}, key = 'blue.png') =>
  plane.ask(`/render/image/public/open/img/${key}?${query}`, { as: '', headers })
async function shapeOf(response: Response) {
  const { width, height, format } = await sharp(await response.arrayBuffer()).metadata()
  return [response.headers.get('content-type'), format, width, height]
}

test.each([
  'width=2501',
  'width=-1',
  'height=x',
  'resize=stretch',
  'quality=19',
  'quality=101',
  'format=tiff',
])('%s is refused', async (query) => {
  expect(await problemOf(await get(query))).toEqual([400, '400', 'InvalidRequest'])
})

test('what is no image, hidden or not there is refused', async () => {
  for (const key of ['text.png', 'a.svg'])
    expect((await problemOf(await get('width=9', {}, key)))[2]).toBe('InvalidRequest')
  expect((await problemOf(await get('width=9', {}, 'never')))[2]).toBe('NoSuchKey')
  const hidden = await plane.ask('/render/image/public/own/img/blue.png?width=9', { as: '' })
  expect((await problemOf(hidden))[2]).toBe('NoSuchBucket')
  const path = '/render/image/authenticated/own/img/blue.png?width=9'
  expect((await problemOf(await plane.ask(path, { as: plane.project.anonKey })))[2]).toBe(
    'NoSuchKey',
  )
})

test.each([
  ['width=20&height=30', 'height:30,width:20,resizing_type:fill'],
  ['width=20&resize=contain&quality=60', 'width:20,resizing_type:fit,quality:60'],
  ['height=20&resize=fill&format=webp', 'height:20,resizing_type:force,format:webp'],
  ['width=0&quality=80&format=origin', 'quality:80'],
  ['', null],
])('%s: the answer tells of it', async (query, summary) => {
  const answer = await get(query, { origin: 'https://example.com' })
  expect([answer.status, answer.headers.get('x-transformations')]).toEqual([200, summary])
  expect(answer.headers.get('access-control-expose-headers')?.toLowerCase()).toContain(
    'x-transformations',
  )
})

test.each([
  ['width=20&height=20', ['image/png', 'png', 20, 20]],
  ['width=20&height=20&resize=contain', ['image/png', 'png', 20, 10]],
  ['width=20&height=20&resize=fill', ['image/png', 'png', 20, 20]],
  ['width=40', ['image/png', 'png', 40, 20]],
  ['width=400', ['image/png', 'png', 80, 40]],
  ['width=20&format=webp&quality=20', ['image/webp', 'webp', 20, 10]],
  ['width=20&format=avif', ['image/avif', 'heif', 20, 10]],
])('%s', async (query, shape) => {
  expect(await shapeOf(await get(query))).toEqual(shape)
})

test('the browser says which formats it reads, unless the origin is asked for', async () => {
  const accept = 'image/webp,*/*'
  const response = await get('width=30', { accept })
  expect(response.headers.get('vary')).toContain('Accept')
  expect(await shapeOf(response)).toEqual(['image/webp', 'webp', 30, 15])
  expect((await shapeOf(await get('width=30&format=origin', { accept })))[1]).toBe('png')
  const again = await get('width=30', {
    accept,
    'if-none-match': response.headers.get('etag') ?? '',
  })
  expect(again.status).toBe(304)
})

test('by the client: downloads, public and signed addresses; a signature pins what it was given for', async () => {
  const transform = { width: 10, height: 10 }
  const { data } = await plane.service.from('own').download('img/blue.png', { transform })
  expect((await sharp(await data?.arrayBuffer()).metadata()).width).toBe(10)
  const open = plane.anon.from('open').getPublicUrl('img/blue.png', { transform }).data.publicUrl
  expect(await shapeOf(await fetch(open))).toEqual(['image/png', 'png', 10, 10])
  const signed = await plane.service.from('own').createSignedUrl('img/blue.png', 60, {
    transform: { ...transform, quality: 60 },
  })
  const url = signed.data?.signedUrl ?? ''
  expect(await shapeOf(await fetch(`${url}&width=70`))).toEqual(['image/png', 'png', 10, 10])
  const summary = (await fetch(url)).headers.get('x-transformations')
  expect(summary).toBe('height:10,width:10,resizing_type:fill,quality:60')
  const whole = await fetch(url.replace('/render/image/sign/', '/object/sign/'))
  expect((await problemOf(whole))[2]).toBe('InvalidSignature')
  const plain = await plane.service.from('own').createSignedUrl('img/blue.png', 60)
  const rendered = (plain.data?.signedUrl ?? '').replace('/object/sign/', '/render/image/sign/')
  expect((await problemOf(await fetch(rendered)))[2]).toBe('InvalidSignature')
})

test('an image with a wrong checksum is rendered, one without its end is not', async () => {
  const create = { width: 80, height: 40, channels: 3, background: '#3366cc' } as const
  const png = await sharp({ create }).png().toBuffer()
  const data = png.indexOf('IDAT')
  const checksum = data + 4 + png.readUInt32BE(data - 4)
  const wrong = Buffer.from(png)
  wrong.writeUInt32BE((wrong.readUInt32BE(checksum) ^ 0xff) >>> 0, checksum)
  const put = (name: string, bytes: Buffer) =>
    plane.service.from('open').upload(`img/${name}`, bytes, { contentType: 'image/png' })
  await put('wrong.png', wrong)
  await put('cut.png', png.subarray(0, checksum - 6))
  expect(await shapeOf(await get('width=20&height=10', {}, 'wrong.png'))).toEqual([
    'image/png',
    'png',
    20,
    10,
  ])
  expect(await problemOf(await get('width=20', {}, 'cut.png'))).toEqual([
    400,
    '400',
    'InvalidRequest',
  ])
})

test('a project can do without; then nothing is rendered, signed or not', async () => {
  const { data } = await plane.service.from('open').createSignedUrl('img/blue.png', 60, {
    transform: { width: 20 },
  })
  const storage = {
    fileSizeLimit: 1e6,
    imageTransformation: false,
    s3Protocol: true,
    region: 'local',
    trashDays: 1,
  }
  const settings = { ...plane.project.settings, storage }
  plane.directory.put({ ...plane.project, settings })
  const signed = data?.signedUrl.split('/storage/v1')[1] ?? ''
  for (const path of [
    '/render/image/public/open/img/blue.png?width=20',
    '/render/image/authenticated/own/img/blue.png?width=20',
    signed,
  ])
    expect(await problemOf(await plane.ask(path))).toEqual([400, '409', 'FeatureNotEnabled'])
  expect((await plane.ask('/object/public/open/img/blue.png')).status).toBe(200)
  plane.directory.put(plane.project)
  expect((await plane.ask(signed)).status).toBe(200)
})
