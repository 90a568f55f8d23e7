import { request as rawRequest } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signToken, startDataPlane, testRef, type TestDataPlane } from '../testing/data-plane.ts'

let plane: TestDataPlane
let origin: string
beforeAll(async () => {
  plane = await startDataPlane(`
    create table words (id int, text text);
    insert into words values (1, 'a,b'), (2, 'a'), (3, 'c&d=e'), (4, 'f+g h'), (5, '100%25')`)
  origin = new URL(plane.url).origin
})
afterAll(() => plane.close())

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${origin}${path}`, { method, headers })
const key = () => ({ apikey: plane.project.anonKey })

test.each([
  ['/zzzzzzzzzzzzzzzzzzzz/rest/v1/words', 404, 'project_not_found'],
  ['/short/rest/v1/words', 404, 'project_not_found'],
  [`/${testRef.toUpperCase()}/rest/v1/words`, 404, 'project_not_found'],
  ['/..%2f..%2fetc/rest/v1/words', 404, 'project_not_found'],
  [`/${'a'.repeat(1000)}/auth/v1/user`, 404, 'project_not_found'],
  [`/${testRef}/nope/v1/words`, 404, 'not_found'],
  ['/', 404, 'not_found'],
  [`/${testRef}/rest/v1/%zz`, 400, 'bad_url'],
])('%s', async (path, status, code) => {
  const response = await get(path, key())
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toContain('application/json')
  expect(await response.json()).toMatchObject({ code })
})

test('the key may come in the query, and is no filter there', async () => {
  const response = await get(`/${testRef}/rest/v1/words?apikey=${plane.project.anonKey}&id=eq.1`)
  expect(await response.json()).toEqual([{ id: 1, text: 'a,b' }])
})

test.each([
  ['text=in.(%22a,b%22)', [1]],
  ['text=in.(a,b)', [2]],
  ['text=eq.c%26d%3De', [3]],
  ['text=eq.f%2Bg+h', [4]],
  ['text=eq.100%2525', [5]],
  ['text=eq.100%25', []],
])('the query stays as it was: %s', async (query, ids) => {
  // A raw request, since fetch would normalise the address.
  const text = await new Promise<string>((done, fail) => {
    const { hostname, port } = new URL(origin)
    const path = `/${testRef}/rest/v1/words?select=id&${query}`
    rawRequest({ hostname, port, path, headers: key() }, (response) => {
      let body = ''
      response.on('data', (chunk) => (body += String(chunk)))
      response.on('end', () => done(body))
    })
      .once('error', fail)
      .end()
  })
  expect(JSON.parse(text)).toEqual(ids.map((id) => ({ id })))
})

test('a browser may ask first, without a key', async () => {
  const response = await get(
    `/${testRef}/rest/v1/words`,
    {
      origin: 'https://example.com',
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'x-mine,apikey',
    },
    'OPTIONS',
  )
  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-allow-methods')).toBe(
    'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD',
  )
  expect(response.headers.get('access-control-allow-headers')).toContain('x-mine')
  for (const name of [
    'Authorization',
    'Content-Type',
    'Accept',
    'Accept-Language',
    'Content-Language',
    'apikey',
  ]) {
    expect(response.headers.get('access-control-allow-headers')).toContain(name)
  }
  expect(response.headers.get('access-control-max-age')).toBe('86400')
})

test('every answer, refusals included, can be read by a page and has a request id', async () => {
  for (const path of ['/zzzzzzzzzzzzzzzzzzzz/rest/v1/x', `/${testRef}/rest/v1/words`, '/']) {
    const response = await get(path, { origin: 'https://example.com' })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const exposed = response.headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toEqual(
      expect.arrayContaining([
        'Content-Encoding',
        'Content-Location',
        'Content-Range',
        'Content-Type',
        'Date',
        'Location',
        'Server',
        'Transfer-Encoding',
        'Range-Unit',
      ]),
    )
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
  }
  const given = await get('/', { 'x-request-id': 'mine-1' })
  expect(given.headers.get('x-request-id')).toBe('mine-1')
  const odd = await get('/', { 'x-request-id': 'a b<script>' })
  expect(odd.headers.get('x-request-id')).not.toContain('<')
})

test('a project without a running database is 503 and says why', async () => {
  for (const [status, message] of [
    ['INACTIVE', 'Project is paused'],
    ['PAUSING', 'Project is being paused'],
    ['GOING_DOWN', 'Project is being deleted'],
  ] as const) {
    plane.directory.put({ ...plane.project, status })
    const response = await get(`/${testRef}/rest/v1/words`, key())
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ code: 'project_unavailable', message })
  }
  plane.directory.put(plane.project)
  expect((await get(`/${testRef}/rest/v1/words`, key())).status).toBe(200)
})

test('new keys count at once', async () => {
  const jwtSecret = 'another secret that is long enough'
  const anonKey = signToken({ role: 'anon', ref: testRef }, jwtSecret)
  plane.directory.put({ ...plane.project, jwtSecret, anonKey })
  expect((await get(`/${testRef}/rest/v1/words`, key())).status).toBe(401)
  expect((await get(`/${testRef}/rest/v1/words`, { apikey: anonKey })).status).toBe(200)
  plane.directory.put(plane.project)
})
