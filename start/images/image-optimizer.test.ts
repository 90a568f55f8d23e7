import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '#kit/http'
import { silentLog } from '#kit/log'
import { createSafeFetch } from '#kit/network/safe-fetch'
import { createImageCache, serveImages } from './image-optimizer.ts'

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 20, g: 80, b: 160 } } })
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'

let home: string
let app: FastifyInstance
let server: Server
let host: string
let fetches = 0

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'plinth-images-'))
  const folder = join(home, 'dashboard')
  await mkdir(folder)
  const photo = await flat(2000, 1000)
    .jpeg()
    .withExif({ IFD0: { Copyright: 'Ada' } })
    .toBuffer()
  await writeFile(join(folder, 'photo.jpg'), photo)
  await writeFile(join(folder, 'small.png'), await flat(32, 16).png().toBuffer())
  await writeFile(join(folder, 'drawing.svg'), svg)
  await writeFile(join(folder, 'broken.jpg'), photo.subarray(0, 400))
  await writeFile(join(folder, 'page.html'), '<h1>Hello</h1>')
  // One colour: a small file, and 190 MB when it is unpacked.
  await writeFile(join(folder, 'bomb.png'), await flat(8000, 8000).png().toBuffer())
  await writeFile(join(home, 'secret.png'), await flat(4, 4).png().toBuffer())

  server = createServer((request, response) => {
    fetches += 1
    if (request.url === '/photo.jpg') response.end(photo)
    else if (request.url === '/called-an-image.png') response.end(svg)
    else if (request.url === '/elsewhere') response.writeHead(302, { location: '/photo.jpg' }).end()
    else if (request.url === '/endless') {
      const more = () => {
        while (response.write(Buffer.alloc(65_536)));
      }
      response.on('drain', more)
      more()
    } else response.writeHead(404).end('nothing')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

  app = createApp({
    routes: [],
    callerOf: async () => undefined,
    internalToken: 'x'.repeat(32),
    log: silentLog,
    security: { allowedOrigins: [], connectTo: [], trustedProxies: [] },
    requestsPerMinute: 1000,
  })
  serveImages(app, {
    folder,
    hosts: [host, 'images.example.com', '10.0.0.8'],
    cacheFolder: join(home, 'cache'),
    fetch: createSafeFetch({ allowLoopback: true, largestBytes: 1024 * 1024, timeoutMs: 4000 }),
  })
}, 60_000)
afterAll(async () => {
  await app.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await rm(home, { recursive: true, force: true })
})

const get = (query: Record<string, string>, headers: Record<string, string> = {}) =>
  app.inject({ url: `/_next/image?${new URLSearchParams(query)}`, headers })
const photo = { url: '/photo.jpg', w: '640', q: '75' }

describe('refused', () => {
  test.each([
    ['without an address', { w: '640' }],
    ['without a width', { url: '/photo.jpg' }],
    ['a width that is not offered', { ...photo, w: '641' }],
    ['a width that is none', { ...photo, w: 'wide' }],
    ['another quality', { ...photo, q: '100' }],
    ['another site', { ...photo, url: 'https://evil.example/a.png' }],
    ['another site, spelled without a scheme', { ...photo, url: '//images.example.com/a.png' }],
    ['another site, with a backslash', { ...photo, url: String.raw`/\evil.example/a.png` }],
    [
      'an allowed host in the name of the user',
      { ...photo, url: 'https://images.example.com@evil.example/a' },
    ],
    [
      'an allowed host with another one behind',
      { ...photo, url: 'https://images.example.com.evil.example/a' },
    ],
    ['an inner address, even when it is allowed', { ...photo, url: 'https://10.0.0.8/a.png' }],
    ['a file of this machine', { ...photo, url: 'file:///etc/passwd' }],
    ['an image in the address itself', { ...photo, url: 'data:image/png;base64,AAAA' }],
    ['a step out of the folder', { ...photo, url: '/../secret.png' }],
    ['a step out of the folder, hidden', { ...photo, url: '/%2e%2e/secret.png' }],
    ['a broken escape', { ...photo, url: '/%E0%A4%A.png' }],
    ['NUL', { ...photo, url: '/photo.jpg%00' }],
    ['a drawing that could run scripts', { ...photo, url: '/drawing.svg' }],
    ['a page', { ...photo, url: '/page.html' }],
    ['half an image', { ...photo, url: '/broken.jpg' }],
    ['an image of too many pixels', { ...photo, url: '/bomb.png' }],
  ])('%s: 400', async (_, query) => {
    const answer = await get(query as Record<string, string>)
    expect(answer.statusCode, answer.body).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'invalid_input' })
  })

  test('the same address twice: 400', async () => {
    expect((await app.inject('/_next/image?url=/photo.jpg&url=/a.png&w=640')).statusCode).toBe(400)
  })

  test.each([
    ['/nothing.png', 404],
    ['/', 404],
    ['http://HOST/nothing.png', 404],
    ['http://HOST/elsewhere', 404],
    ['http://HOST/called-an-image.png', 400],
    ['http://HOST/endless', 400],
    ['https://images.example.com:1/a.png', 400],
  ])('%s: %i', async (url, status) => {
    const answer = await get({ ...photo, url: url.replace('HOST', host) })
    expect(answer.statusCode, answer.body).toBe(status)
  })
})

describe('served', () => {
  test.each([
    ['image/avif,image/webp,*/*', 'image/avif', 'heif'],
    ['image/webp,*/*', 'image/webp', 'webp'],
    ['*/*', 'image/jpeg', 'jpeg'],
  ])('for %s as %s, as wide as asked', async (accept, type, format) => {
    const answer = await get(photo, { accept })
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe(type)
    expect(answer.headers['vary']).toContain('Accept')
    expect(answer.headers['content-security-policy']).toBe("default-src 'none'; sandbox")
    const made = await sharp(answer.rawPayload).metadata()
    expect(made).toMatchObject({ format, width: 640, height: 320 })
    // Who took a photograph, and where, is nobody's business.
    expect(made.exif).toBeUndefined()
  })

  test('never larger than it is, and 75 without being asked', async () => {
    const answer = await get({ url: '/small.png', w: '3840' })
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'png', width: 32 })
  })

  test('not again to who has it', async () => {
    const first = await get(photo)
    const again = await get(photo, { 'if-none-match': String(first.headers['etag']) })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect(first.headers['cache-control']).toMatch(/^public, max-age=\d+, must-revalidate$/)
  })

  test('from an allowed host, which is asked once', async () => {
    const remote = { url: `http://${host}/photo.jpg`, w: '750' }
    fetches = 0
    const answers = await Promise.all([get(remote), get(remote), get(remote)])
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200])
    expect((await get(remote)).statusCode).toBe(200)
    expect(fetches).toBe(1)
  })
})

describe('kept', () => {
  test('are only so many bytes and files, the newest; and only for a time', async () => {
    const folder = join(home, 'small-cache')
    const cache = createImageCache(folder, { bytes: 250, files: 10 })
    const at = new Date(Date.now() - 60_000)
    for (const key of ['a', 'b']) {
      await cache.put(key, Buffer.alloc(100))
      for (const name of await readdir(folder)) await utimes(join(folder, name), at, at)
    }
    await cache.put('c', Buffer.alloc(100))
    const names = await readdir(folder)
    expect(names).toHaveLength(2)
    const sizes = await Promise.all(
      names.map(async (name) => (await stat(join(folder, name))).size),
    )
    expect(sizes).toEqual([100, 100])
    expect(await cache.get('c', 1000)).toHaveLength(100)
    expect(await cache.get('c', 1000, Date.now() + 2000)).toBeUndefined()
    expect(await cache.get('d', 1000)).toBeUndefined()
  })
})
