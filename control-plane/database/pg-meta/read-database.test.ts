import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { createDataPlane } from '../../data-plane/client.ts'
import { createDatabaseReader } from './read-database.ts'

/** Stands where the data plane would. */
let server: Server
let reader: ReturnType<typeof createDatabaseReader>
let answer: { status: number; body: unknown }
let asked: { url: string | undefined; headers: IncomingHttpHeaders } | undefined

const readerOf = (dataPlaneUrl: string) =>
  createDatabaseReader(createDataPlane({ dataPlaneUrl, internalToken: 'token', log: silentLog }))

beforeAll(async () => {
  server = createServer(({ url, headers }, response) => {
    asked = { url, headers }
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer.body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  reader = readerOf(`http://127.0.0.1:${port}`)
})
afterAll(() => void server.close())

const list = { since: null, roles: [], total: 0, statements: [] }

test('statements are read as the owner, findings as who may only read', async () => {
  answer = { status: 200, body: { ...list, state: 'ready' } }
  expect(await reader.statements('abc')).toEqual([])
  expect(asked).toMatchObject({
    url: '/internal/pg-meta/abc/query-performance?limit=40',
    headers: { authorization: 'Bearer token', 'x-plinth-login': 'postgres' },
  })
  answer = { status: 200, body: { lints: [], skipped: [] } }
  expect(await reader.lints('abc')).toEqual({ lints: [], skipped: [] })
  expect(asked?.headers['x-plinth-login']).toBe('plinth_read_only')
})

test('a server that counts nothing has no statements', async () => {
  answer = { status: 200, body: { ...list, state: 'not_loaded' } }
  expect(await reader.statements('abc')).toBeUndefined()
})

test.each([
  [{ code: 'query_timeout' }, 'query_timeout'],
  [{ code: 'made_up' }, 'project_unreachable'],
  ['nothing', 'project_unreachable'],
])('a refusal is passed on when it is one that we know', async (body, code) => {
  answer = { status: 500, body }
  await expect(reader.lints('abc')).rejects.toMatchObject({ code })
})

test('an answer of another shape is a bug and no finding', async () => {
  answer = { status: 200, body: { lints: [{ name: 'made_up' }], skipped: [] } }
  await expect(reader.lints('abc')).rejects.toThrow()
})

test('where nothing listens it is the platform that is not ready', async () => {
  const nobody = readerOf('http://127.0.0.1:9')
  await expect(nobody.lints('abc')).rejects.toMatchObject({ code: 'service_unavailable' })
})
