import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contract/endpoint'
import { inProject } from '#contract/permissions'
import { ApiError } from './errors.ts'
import { createApp, implement, implementOpen, implementRaw, type Route } from './http.ts'
import { rawBodyOf } from './http/http-security.ts'
import { silentLog, type Log } from './log.ts'

const book = endpoint('books.get', 'GET /books/:ref', {
  needs: inProject('read:Read', 'books'),
  input: z.object({ ref: z.string().regex(/^[a-z]+$/), page: z.coerce.number().default(1) }),
  returns: z.object({ title: z.string(), page: z.number() }),
})
const open = endpoint('open', 'POST /open', {
  needs: 'anyone',
  perMinute: 3,
  input: z.object({ text: z.string().max(10) }),
  returns: z.object({ length: z.number() }),
  status: 201,
})
const signed = endpoint('signed', 'POST /signed', {
  needs: 'anyone',
  raw: true,
  rawBody: true,
  input: z.looseObject({}),
  returns: z.unknown(),
})
const own = endpoint('own', 'GET /internal/own', {
  needs: 'internal',
  input: z.object({}),
  returns: z.object({ ok: z.boolean() }),
})

const routes: Route[] = [
  implement(book, async ({ ref, page }) => {
    if (ref === 'bug') throw new Error('the password is swordfish')
    if (ref === 'busy') throw new ApiError('project_busy')
    if (ref === 'away') throw new Error('Connection terminated unexpectedly')
    if (ref === 'starting') throw Object.assign(new Error('starting up'), { code: '57P03' })
    if (ref === 'full') throw Object.assign(new Error('could not extend'), { code: '53100' })
    if (ref === 'socket')
      throw Object.assign(new Error('connect'), { code: 'ENOENT', syscall: 'connect' })
    if (ref === 'file') throw Object.assign(new Error('open'), { code: 'ENOENT', syscall: 'open' })
    // A store may know more than the contract shows.
    const row = { title: ref, page, secret: 'swordfish' }
    return row
  }),
  implementOpen(open, async ({ text }) => ({ length: text.length })),
  implementOpen(own, async () => ({ ok: true })),
  implementRaw(signed, async (_input, _caller, { request }) => ({ body: rawBodyOf(request) })),
]

const app = (log: Log = silentLog, hosts?: string[]) =>
  createApp({
    routes,
    callerOf: async ({ headers: { authorization } }) => {
      if (!authorization) return undefined
      return {
        userId: authorization,
        email: 'ada@example.com',
        sessionId: 's',
        aal: 'aal1',
        kind: 'session',
        async authorize(_need, input) {
          if (input['ref'] === 'foreign') throw new ApiError('project_not_found')
          if (authorization === 'reader') throw new ApiError('not_allowed')
        },
      }
    },
    internalToken: 'a token that only our programs know',
    log,
    security: { allowedOrigins: ['http://here'], hosts, connectTo: [], trustedProxies: [] },
    requestsPerMinute: 1000,
  })

const authorization = 'ada'

test.each([
  ['/books/dune', {}, 401, 'not_signed_in'],
  ['/books/dune', { authorization: 'reader' }, 403, 'not_allowed'],
  ['/books/foreign', { authorization }, 404, 'project_not_found'],
  ['/books/DUNE', { authorization }, 400, 'invalid_input'],
  ['/books/dune?page=x', { authorization }, 400, 'invalid_input'],
  ['/books/busy', { authorization }, 409, 'project_busy'],
  ['/nothing', { authorization }, 404, 'not_found'],
  ['/internal/own', {}, 401, 'not_signed_in'],
  ['/internal/own', { authorization: 'Bearer wrong' }, 401, 'not_signed_in'],
])('GET %s with %o is refused with %s %s', async (url, headers, status, code) => {
  const answer = await app().inject({ url, headers })
  expect(answer.statusCode).toBe(status)
  expect(answer.json()).toMatchObject({ code, requestId: answer.headers['x-request-id'] })
})

test.each([
  ['POST', '/books/dune', 'GET'],
  ['DELETE', '/books/dune/?page=1', 'GET'],
  ['GET', '/signed', 'POST'],
  ['HEAD', '/signed', 'POST'],
] as const)(
  '%s %s is another verb of a known path: 405 with those it has',
  async (method, url, allow) => {
    const answer = await app().inject({ method, url, headers: { authorization } })
    expect(answer.statusCode).toBe(405)
    expect(answer.headers['allow']).toBe(allow)
  },
)

test.each([
  ['POST', '/nothing', 404],
  ['POST', '/books/dune/pages', 404],
  ['GET', `/books/${'x'.repeat(201)}`, 414],
  ['DELETE', `/books/${'x'.repeat(201)}`, 405],
] as const)('%s %s is no known path, or one that is too long: %i', async (method, url, status) => {
  const { statusCode } = await app().inject({ method, url, headers: { authorization } })
  expect(statusCode).toBe(status)
})

test.each(['away', 'starting', 'socket'])(
  'while our own database is %s, it is told when to ask again',
  async (ref) => {
    const answer = await app().inject({ url: `/books/${ref}`, headers: { authorization } })
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('1')
    expect(answer.json()).toMatchObject({ code: 'service_unavailable' })
  },
)

test('that our own database has no space on its disk is said', async () => {
  const answer = await app().inject({ url: '/books/full', headers: { authorization } })
  expect(answer.statusCode).toBe(507)
  expect(answer.json()).toMatchObject({ code: 'disk_full' })
})

test('a file that is not there is a bug all the same', async () => {
  const answer = await app().inject({ url: '/books/file', headers: { authorization } })
  expect(answer.statusCode).toBe(500)
})

test('only what the contract names leaves the server', async () => {
  const answer = await app().inject({ url: '/books/dune?page=2', headers: { authorization } })
  expect(answer.json()).toEqual({ title: 'dune', page: 2 })
})

test('a bug is told as such, without its text, and logged once with the request id', async () => {
  const lines = new PassThrough()
  const written: string[] = []
  lines.on('data', (line) => written.push(String(line)))
  const headers = { authorization, 'x-request-id': 'my-own-id' }
  const answer = await app(pino(lines)).inject({ url: '/books/bug', headers })
  expect(answer.statusCode).toBe(500)
  expect(answer.json()).toEqual({
    message: 'Something went wrong on our side',
    code: 'internal',
    requestId: 'my-own-id',
  })
  const errors = written.map((line) => JSON.parse(line) as { level: number; requestId: string })
  expect(errors.filter(({ level }) => level >= 50)).toMatchObject([{ requestId: 'my-own-id' }])
})

test('a request id that could break a log line is replaced', async () => {
  const headers = { authorization, 'x-request-id': 'a"b{c' }
  const answer = await app().inject({ url: '/books/dune', headers })
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
})

test('too many calls are refused with the time to wait, per account or address', async () => {
  const server = app()
  const call = (text: string) => server.inject({ method: 'POST', url: '/open', payload: { text } })
  expect((await call('one')).statusCode).toBe(201)
  expect((await call('this is too long')).statusCode).toBe(400)
  expect((await call('two')).statusCode).toBe(201)
  const refused = await call('three')
  expect(refused.statusCode).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
})

test('internal calls open with the token', async () => {
  const headers = { authorization: 'Bearer a token that only our programs know' }
  expect((await app().inject({ url: '/internal/own', headers })).json()).toEqual({ ok: true })
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
  '%s from a foreign origin is refused',
  async (method) => {
    const inject = (origin: string) =>
      app().inject({ method, url: '/open', headers: { origin }, payload: { text: 'a' } })
    expect((await inject('http://evil')).statusCode).toBe(403)
    expect((await inject('http://here')).statusCode).not.toBe(403)
  },
)

test('a server on loopback answers to its own names only', async () => {
  const server = app(silentLog, ['localhost'])
  const ask = (host: string) =>
    server.inject({ url: '/books/dune', headers: { host, authorization } })
  expect((await ask('localhost:8000')).statusCode).toBe(200)
  expect((await ask('rebound.evil.example:8000')).statusCode).toBe(403)
})

test('every answer carries the security headers', async () => {
  const { headers } = await app().inject({ url: '/nothing' })
  expect(headers['content-security-policy']).toContain("script-src 'self';")
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['x-content-type-options']).toBe('nosniff')
})

test('a signed body is kept as it came, byte for byte, where an endpoint asks for it', async () => {
  const payload = '{ "a":1,\n "b" : "\\u00e9é" }'
  const headers = { 'content-type': 'application/json' }
  const answer = await app().inject({ method: 'POST', url: '/signed', headers, payload })
  expect(answer.json()).toEqual({ body: payload })
})
