import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { internalToken, startControlPlane } from '../../testing/control-plane.ts'
import type { Person, TestControlPlane } from '../../testing/control-plane.ts'
import { newcomer, organizationOf } from '../../testing/people.ts'

type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: string }

/** Stands where the data plane would, and keeps what it is asked. */
let server: Server
let seen: Seen[] = []
let answer = { status: 200, body: '[]' }
let plane: TestControlPlane
let ada: Person
let bob: Person
let ref: string
let other: string

async function create(name: string): Promise<string> {
  const made = await ada.call('POST', '/platform/projects', {
    name,
    organization_slug: 'acme',
    db_pass: 'a long and winding password 42!',
    db_region: 'eu-central-1',
  })
  const newRef = String(made.body['ref'])
  const address = JSON.stringify({ host: '/nowhere', port: 1 })
  // The marker is told once the database has an address; what listens there does not matter here.
  await plane.db
    .updateTable('platform.projects')
    .set({ db_address: address })
    .where('ref', '=', newRef)
    .execute()
  return newRef
}
const markerOf = async (of: string) =>
  String((await ada.call('GET', `/platform/projects/${of}`)).body['connectionString'])

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      // The control plane also asks for other things in its own time.
      if (url.startsWith('/internal/pg-meta/'))
        seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
      response.writeHead(answer.status, { 'content-type': 'application/json', 'set-cookie': 'a=b' })
      response.end(answer.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  plane = await startControlPlane(silentLog, `http://127.0.0.1:${port}`)
  ada = await newcomer(plane, 'ada')
  bob = await newcomer(plane, 'bob')
  const made = await organizationOf(ada, 'Acme', 'tier_pro')
  await plane.db
    .insertInto('platform.members')
    .values({ organization_id: made.id, user_id: bob.userId, role: 'Read-only' })
    .execute()
  ref = await create('Books')
  other = await create('Films')
})
afterAll(async () => {
  await plane.end()
  server.close()
})
beforeEach(() => {
  seen = []
  answer = { status: 200, body: '[]' }
})

const tables = () => `/platform/pg-meta/${ref}/tables`

test.each([
  ['without a marker', async () => ({})],
  ['with a text that is none', async () => ({ 'x-connection-encrypted': 'v1.nonsense' })],
  [
    'with the marker of another project',
    async () => ({ 'x-connection-encrypted': await markerOf(other) }),
  ],
])('a call %s is refused in the words of the requirements', async (_, headers) => {
  expect(await ada.call('GET', tables(), undefined, await headers())).toMatchObject({
    status: 400,
    body: { message: 'API Error: happened while trying to acquire connection to the database' },
  })
  expect(seen).toEqual([])
})

test('an owner works as the customer, a read-only member as the one who only reads', async () => {
  const headers = {
    'x-connection-encrypted': await markerOf(ref),
    'x-pg-application-name': 'dashboard',
  }
  expect((await ada.call('GET', `${tables()}?limit=5`, undefined, headers)).status).toBe(200)
  expect((await bob.call('GET', `${tables()}/`, undefined, headers)).status).toBe(200)
  expect(seen).toMatchObject([
    {
      method: 'GET',
      url: `/internal/pg-meta/${ref}/tables?limit=5`,
      headers: { 'x-plinth-login': 'postgres', 'x-pg-application-name': 'dashboard' },
    },
    {
      url: `/internal/pg-meta/${ref}/tables/`,
      headers: { 'x-plinth-login': 'plinth_read_only', authorization: `Bearer ${internalToken}` },
    },
  ])
})

test('who may write runs as a role as the customer, also to read only; who may only read stays who they are', async () => {
  const headers = { 'x-connection-encrypted': await markerOf(ref) }
  const run = { id: crypto.randomUUID(), query: 'select 1', read_only: true }
  const as = { role: 'anon' }
  const path = `/platform/pg-meta/${ref}/query/run`
  for (const [who, body] of [
    [ada, run],
    [ada, { ...run, as }],
    [bob, { ...run, read_only: false, as }],
  ] as const)
    expect((await who.call('POST', path, body, headers)).status).toBe(200)
  expect(seen.map(({ headers: sent }) => sent['x-plinth-login'])).toEqual([
    'plinth_read_only',
    'postgres',
    'plinth_read_only',
  ])
})

test('what a caller says of logins and tokens is not passed on, nor are cookies passed back', async () => {
  const headers = {
    'x-connection-encrypted': await markerOf(ref),
    'x-plinth-login': 'postgres',
    cookie: 'a=b',
  }
  const { headers: got } = await bob.call('GET', tables(), undefined, headers)
  expect(seen[0]?.headers).toMatchObject({ 'x-plinth-login': 'plinth_read_only' })
  expect(seen[0]?.headers.cookie).toBeUndefined()
  expect(got['set-cookie']).toBeUndefined()
})

test('a read-only member makes and removes nothing', async () => {
  const headers = { 'x-connection-encrypted': await markerOf(ref) }
  expect((await bob.call('POST', tables(), { name: 'mine' }, headers)).status).toBe(403)
  expect((await bob.call('DELETE', `${tables()}/1`, undefined, headers)).status).toBe(403)
  expect(seen).toEqual([])
})

test('bodies go as they are, and a removal without one goes without one', async () => {
  const headers = { 'x-connection-encrypted': await markerOf(ref) }
  await ada.call('POST', `/platform/pg-meta/${ref}/query`, { query: 'select 1' }, headers)
  await ada.call('DELETE', `${tables()}/1?cascade=true`, undefined, headers)
  expect(seen).toMatchObject([
    {
      method: 'POST',
      body: '{"query":"select 1"}',
      headers: { 'content-type': 'application/json' },
    },
    { method: 'DELETE', url: `/internal/pg-meta/${ref}/tables/1?cascade=true`, body: '' },
  ])
})

test('a refusal of the database comes back with its status and words', async () => {
  answer = { status: 400, body: '{"message":"syntax error","code":"42601"}' }
  const headers = { 'x-connection-encrypted': await markerOf(ref) }
  const query = { query: 'selec' }
  expect(await ada.call('POST', `/platform/pg-meta/${ref}/query`, query, headers)).toMatchObject({
    status: 400,
    body: { message: 'syntax error', code: '42601' },
  })
})

test('the types of a database are told to who may read it, in the shape of public tools', async () => {
  answer = { status: 200, body: 'export type Json = string' }
  const path = `/v1/projects/${ref}/types/typescript?included_schemas=public,app`
  for (const one of [ada, bob])
    expect(await one.call('GET', path)).toMatchObject({
      status: 200,
      body: { types: 'export type Json = string' },
    })
  expect(seen.map(({ url, headers }) => [url, headers['x-plinth-login']])).toEqual(
    Array.from({ length: 2 }, () => [
      `/internal/pg-meta/${ref}/generators/typescript?included_schemas=public%2Capp&detect_one_to_one_relationships=true`,
      'plinth_read_only',
    ]),
  )
  const eve = await newcomer(plane, 'eve')
  expect((await eve.call('GET', path)).status).toBe(404)
  answer = { status: 500, body: '{}' }
  expect((await ada.call('GET', path)).status).toBe(503)
  answer = { status: 200, body: '[]' }
})

test('while there is no data plane the answer is 503', async () => {
  server.close()
  server.closeAllConnections()
  const headers = { 'x-connection-encrypted': await markerOf(ref) }
  expect(await ada.call('GET', tables(), undefined, headers)).toMatchObject({
    status: 503,
    body: { code: 'service_unavailable' },
  })
})
