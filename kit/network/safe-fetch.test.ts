import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { createSafeFetch, RefusedFetch } from './safe-fetch.ts'
import { selfSigned } from './self-signed.ts'

let server: Server
let origin: string
let hits = 0

beforeAll(async () => {
  server = createServer((request, response) => {
    hits += 1
    switch (request.url ?? '/') {
      case '/big':
        return response.end('x'.repeat(3000))
      case '/slow':
        return undefined
      case '/away':
        return response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
      case '/loop':
        return response.writeHead(302, { location: '/loop' }).end()
      case '/on':
        return response.writeHead(302, { location: '/' }).end()
      default:
        return response.end(`${request.method} fine`)
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const strict = createSafeFetch()
const local = createSafeFetch({ allowLoopback: true, largestBytes: 2000 })
/** Only where time is what is tried: a busy machine takes half a second for anything. */
const hasty = createSafeFetch({ allowLoopback: true, timeoutMs: 500 })

test.each([
  'https://127.0.0.1/',
  'https://10.0.0.1/',
  'https://192.168.1.1/',
  'https://172.16.0.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/',
  'https://0.0.0.0/',
  'https://[::1]/',
  'https://[::]/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://localhost/',
  'http://example.com/',
  'https://user:pass@example.com/',
  'file:///etc/passwd',
  'nonsense',
])('%s is not asked', async (url) => {
  await expect(strict(url)).rejects.toBeInstanceOf(RefusedFetch)
})

test('a name is checked by what it resolves to, before anything is sent', async () => {
  const { port } = new URL(origin)
  const before = hits
  await expect(strict(`https://localhost:${port}/`)).rejects.toBeInstanceOf(RefusedFetch)
  expect(hits).toBe(before)
})

test('an answer comes back, after redirects too', async () => {
  expect(await (await local(origin)).text()).toBe('GET fine')
  expect(await (await local(`${origin}/on`)).text()).toBe('GET fine')
  const posted = await local(origin, { method: 'POST', body: 'x' })
  expect(await posted.text()).toBe('POST fine')
})

test.each([
  ['to a private address', '/away', {}],
  ['without end', '/loop', {}],
  ['of what is not a read', '/on', { method: 'POST' }],
])('a redirect %s is not followed', async (_, path, init) => {
  await expect(local(origin + path, init)).rejects.toBeInstanceOf(RefusedFetch)
})

test('a redirect is handed over to who wants to see it', async () => {
  const response = await local(`${origin}/away`, { redirect: 'manual' })
  expect(response.status).toBe(302)
})

test('too large and too slow an answer are given up', async () => {
  await expect(local(`${origin}/big`)).rejects.toThrow(/larger than 2000/)
  await expect(hasty(`${origin}/slow`)).rejects.toMatchObject({ name: 'TimeoutError' })
})

test('HTTP/2 is spoken where it is wanted and the other side speaks it, to public addresses only', async () => {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const der = selfSigned({ ...keys, commonName: 'localhost' })
  const secure = createSecureServer({
    key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`,
    allowHTTP1: true,
  })
  secure.on('request', (request, response) => response.end(request.httpVersion))
  await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done))
  onTestFinished(() => void secure.close())
  const { port } = secure.address() as AddressInfo // it listens on TCP
  // The certificate is nobody's but its own.
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  onTestFinished(() => void vi.unstubAllEnvs())
  const versionOf = async (http2: boolean) => {
    const fetch = createSafeFetch({ allowLoopback: true, http2 })
    return (await fetch(`https://127.0.0.1:${port}/`, { method: 'POST', body: 'x' })).text()
  }
  expect(await versionOf(true)).toBe('2.0')
  expect(await versionOf(false)).toBe('1.1')
  const guarded = createSafeFetch({ http2: true })
  await expect(guarded(`https://localhost:${port}/`)).rejects.toThrow(RefusedFetch)
})

test('what is meant for one server is not shown to the one that it redirects to', async () => {
  const seen: (string | undefined)[] = []
  const other = createServer(({ headers }, response) => {
    seen.push(headers.authorization, headers.cookie, headers['x-own'] as string)
    response.end('fine')
  })
  const first = createServer(({ url, headers }, response) => {
    if (url === '/same') {
      seen.push(headers.authorization)
      return response.end('fine')
    }
    const { port } = other.address() as AddressInfo
    const location = url === '/to-same' ? '/same' : `http://127.0.0.1:${port}/`
    return response.writeHead(302, { location }).end()
  })
  for (const one of [other, first]) {
    await new Promise<void>((done) => one.listen(0, '127.0.0.1', done))
    onTestFinished(() => {
      one.closeAllConnections()
      one.close()
    })
  }
  const headers = { authorization: 'Bearer secret', cookie: 'a=b', 'x-own': 'c' }
  const at = `http://127.0.0.1:${(first.address() as AddressInfo).port}`
  await local(`${at}/to-other`, { headers })
  expect(seen).toEqual([undefined, undefined, 'c'])
  await local(`${at}/to-same`, { headers })
  expect(seen.at(-1)).toBe('Bearer secret')
})
