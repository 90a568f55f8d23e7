import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { texts } from './call-error.ts'
import { head, postJson, send, takeTokenFrom } from './http.ts'

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string }

let server: Server
let base: string
const seen: Seen[] = []
let answer: (response: ServerResponse) => void
const inNode = globalThis.fetch
let credentials: RequestInit['credentials']

/** Only a page knows where a path begins, and which cookies there are. */
const inBrowser: typeof fetch = (path, init) => {
  credentials = init?.credentials
  return inNode(typeof path === 'string' ? base + path : path, init)
}

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      seen.push({ method, url, headers, body })
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  base = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  globalThis.fetch = inBrowser
})
afterAll(async () => {
  globalThis.fetch = inNode
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  seen.length = 0
  answer = (response) => response.end('{}')
})
afterEach(() => {
  takeTokenFrom(() => Promise.resolve(undefined))
  vi.useRealTimers()
})

/** Lets what has come in be heard; no clock is asked. */
const turn = () => new Promise((resolve) => setImmediate(resolve))
const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

test('every call carries credentials and a request id of its own; a bearer only when there is a session', async () => {
  await send({ method: 'GET', path: '/platform/profile' })
  expect(credentials).toBe('include')
  takeTokenFrom(() => Promise.resolve('secret'))
  await send({ method: 'GET', path: '/platform/profile' })
  const [first, second] = seen.map(({ headers }) => headers)
  expect(first?.authorization).toBeUndefined()
  expect(second?.authorization).toBe('Bearer secret')
  expect(first?.['x-request-id']).toMatch(uuid)
  expect(second?.['x-request-id']).not.toBe(first?.['x-request-id'])
  expect(first?.['version']).toBe('2')
})

test('calls about a database name the application, and fail here without the marker', async () => {
  const path = '/platform/pg-meta/abcdefghijklmnopqrst/tables'
  await expect(send({ method: 'GET', path })).rejects.toMatchObject({
    message: 'API Error: happened while trying to acquire connection to the database',
    code: 400,
  })
  expect(seen).toEqual([])
  await send({ method: 'GET', path, headers: { 'x-connection-encrypted': 'sealed' } })
  await send({ method: 'GET', path: '/platform/profile' })
  expect(seen.map(({ headers }) => headers['x-pg-application-name'])).toEqual([
    'plinth-dashboard',
    undefined,
  ])
})

test('a POST sends and reads JSON; no content is undefined', async () => {
  answer = (response) => response.end('{"made":1}')
  expect(await postJson('/platform/things', { name: 'x' })).toEqual({ made: 1 })
  expect(seen[0]).toMatchObject({
    method: 'POST',
    body: '{"name":"x"}',
    headers: { 'content-type': 'application/json' },
  })
  answer = (response) => response.writeHead(204).end()
  expect(await postJson('/platform/things', {})).toBeUndefined()
})

test('a HEAD gives the headers', async () => {
  answer = (response) => response.writeHead(200, { 'x-total-count': '7' }).end()
  expect((await head('/platform/things')).headers.get('x-total-count')).toBe('7')
  expect(seen[0]?.method).toBe('HEAD')
})

test.each([
  ['HEAD', () => head('/platform/slow')],
  ['POST', () => postJson('/platform/slow', {})],
])('a %s is given up after 60 seconds, not before', async (_, ask) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  answer = () => undefined
  let failed: unknown
  const asked = ask().catch((error: unknown) => (failed = error))
  while (seen.length === 0) await turn()
  vi.advanceTimersByTime(59_999)
  await turn()
  expect(failed).toBeUndefined()
  vi.advanceTimersByTime(1)
  await asked
  expect(failed).toMatchObject({ message: texts.network, code: 0 })
})

test('a refusal has the status as its code, the request id and the wait', async () => {
  answer = (response) =>
    response
      .writeHead(429, { 'retry-after': '9', 'x-request-id': 'theirs' })
      .end('{"message":"Slow down","code":"rate_limited"}')
  await expect(send({ method: 'GET', path: '/platform/x' })).rejects.toMatchObject({
    message: 'Slow down',
    code: 429,
    requestId: 'theirs',
    retryAfter: 9,
  })
})

test('a server that is not there is told in the words of the requirements', async () => {
  answer = (response) => response.destroy()
  await expect(send({ method: 'GET', path: '/platform/x' })).rejects.toMatchObject({
    message: 'Unable to reach the server. Please check your network or try again later.',
    code: 0,
  })
})
