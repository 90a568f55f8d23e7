import { readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { root } from '#kit/root'
import { freePort } from '#kit/testing/free-port'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'

type Asked = { method: string; url: string; headers: IncomingHttpHeaders; body: string }
let plane: TestDataPlane
let outside: Server
let address: string
const asked: Asked[] = []
let closedPort: number
let refs: string[] = []
let keys: Record<string, string[]> = {}
let onChange: () => void = () => undefined

beforeAll(async () => {
  closedPort = await freePort()
  outside = createServer((request, response) => {
    void text(request).then((body) => {
      const { method = '', url = '', headers } = request
      asked.push({ method, url, headers, body })
      if (url.startsWith('/slow')) return
      const status = Number(/^\/(\d{3})/.exec(url)?.[1] ?? 200)
      response.writeHead(status, { 'content-type': 'text/plain', location: '/elsewhere' })
      response.end(url.startsWith('/zero') ? 'a\0b' : 'thanks')
    })
  })
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
  const schema = await readFile(join(root, 'data-plane/webhooks/schema.sql'), 'utf8')
  plane = await startDataPlane(
    `${schema}; ${schema};
     create table books (id int primary key, title text);
     grant insert, update, delete, select on books to anon;`,
    {},
    undefined,
    {
      reachesLoopback: true,
      webhooks: {
        source: {
          net: async () => refs,
          webhookKeys: async () => keys,
          webhooks: async () => refs,
          onAnyChange: (listener) => {
            onChange = listener
            return () => undefined
          },
        },
        keepNetUse: () => Promise.resolve(),
        timing: { look: 50, forget: 60_000 },
      },
    },
  )
  enable()
})
afterAll(async () => {
  outside.closeAllConnections()
  outside.close()
  await plane.close()
})
afterEach(() => asked.splice(0))

function enable(on = true): void {
  refs = on ? [plane.project.ref] : []
  onChange()
}
const responseOf = async (id: unknown) => {
  const found = () => plane.sql(`select * from net._http_response where id = ${Number(id)}`)
  await expect.poll(async () => (await found()).length).toBe(1)
  return (await found())[0]
}
const call = async (sql: string) => (await plane.sql(`select ${sql} as id`))[0]?.['id']

test('functions with the names of pg_net call an address, and the answer is kept', async () => {
  const id = await call(
    `net.http_post('${address}/a?x=1', '{"n":1}', '{"q":"é &="}', '{"X-Mine":"yes","X-Number":5}')`,
  )
  expect(await responseOf(id)).toMatchObject({
    status_code: 200,
    content_type: 'text/plain',
    content: 'thanks',
    timed_out: false,
    error_msg: null,
  })
  expect(asked).toMatchObject([
    {
      method: 'POST',
      url: '/a?x=1&q=%C3%A9%20%26%3D',
      body: '{"n": 1}',
      headers: { 'x-mine': 'yes', 'x-number': '5' },
    },
  ])
  await responseOf(await call(`net.http_get('${address}/b')`))
  await responseOf(await call(`net.http_delete('${address}/c', body => '[]')`))
  expect(asked.slice(1)).toMatchObject([
    { method: 'GET', url: '/b', body: '' },
    { method: 'DELETE', url: '/c', body: '[]' },
  ])
  expect(await plane.sql('select from net.http_request_queue')).toEqual([])
})

test.each([
  ['an error status', () => `net.http_get('${address}/503')`, { status_code: 503 }],
  ['a redirect', () => `net.http_get('${address}/302')`, { status_code: 302 }],
  ['zeros', () => `net.http_get('${address}/zero')`, { status_code: 200, content: 'ab' }],
  [
    'no answer in time',
    () => `net.http_get('${address}/slow', timeout_milliseconds => 200)`,
    { status_code: null, timed_out: true, error_msg: 'Timeout of 200 ms reached' },
  ],
  [
    'a private address',
    () => "net.http_get('https://10.0.0.1/')",
    { error_msg: '10.0.0.1 is not a public address', status_code: null },
  ],
  ['no address', () => "net.http_get('nonsense')", { error_msg: 'This is not an address' }],
  [
    'a header that is none',
    () => `net.http_get('${address}', headers => '{"bad header": "x"}')`,
    { error_msg: expect.stringContaining('bad header') as string },
  ],
  [
    'nobody there',
    () => `net.http_get('http://127.0.0.1:${closedPort}/')`,
    { error_msg: expect.stringContaining('ECONNREFUSED') as string },
  ],
])('%s is noted as what became of the call', async (_, sql, outcome) => {
  expect(await responseOf(await call(sql()))).toMatchObject(outcome)
})

test('a webhook tells of rows that whoever changed, when that is committed', async () => {
  await plane.sql(`create trigger tell after insert or update or delete on books for each row
    execute function supabase_functions.http_request('${address}/hook', 'POST', '{"X-Secret":"s"}', '{}', '1000')`)
  const rest = (method: string, query: string, body?: object) =>
    fetch(`${plane.url}/rest/v1/books${query}`, {
      method,
      headers: { apikey: plane.project.anonKey, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  expect((await rest('POST', '', { id: 1, title: 'Emma' })).status).toBe(201)
  await expect.poll(() => asked.length).toBe(1)
  expect((await rest('PATCH', '?id=eq.1', { title: 'Persuasion' })).status).toBe(204)
  await expect.poll(() => asked.length).toBe(2)
  await plane.sql('begin; delete from books; rollback')
  expect((await rest('DELETE', '?id=eq.1')).status).toBe(204)
  await expect.poll(() => asked.length).toBe(3)
  const row = { id: 1, title: 'Emma' }
  const place = { schema: 'public', table: 'books' }
  expect(asked.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { ...place, type: 'INSERT', record: row, old_record: null },
    { ...place, type: 'UPDATE', record: { id: 1, title: 'Persuasion' }, old_record: row },
    { ...place, type: 'DELETE', record: null, old_record: { id: 1, title: 'Persuasion' } },
  ])
  expect(asked[0]?.headers).toMatchObject({ 'x-secret': 's' })
  const hooks = await plane.sql('select hook_name, request_id from supabase_functions.hooks')
  expect(hooks).toHaveLength(3)
  await plane.sql('drop trigger tell on books')
  // One that somebody made to fire before the change takes no row away.
  await plane.sql(`create trigger tell before insert or delete on books for each row
    execute function supabase_functions.http_request('${address}/early')`)
  const kept = () => plane.sql('select id from books')
  await plane.sql('insert into books values (2)')
  expect(await kept()).toEqual([{ id: 2 }])
  await plane.sql('delete from books')
  expect(await kept()).toEqual([])
  await plane.sql('drop trigger tell on books')
  await expect.poll(() => asked.length).toBe(5)
})

test('no role of the data API reaches the queue or makes calls, but the service does', async () => {
  const as = (role: string, sql: string) =>
    plane.sql(`begin; set local role ${role}; ${sql}; rollback`)
  for (const role of ['anon', 'authenticated']) {
    await expect(as(role, "select net.http_get('https://example.com')")).rejects.toThrow(
      /permission/,
    )
    await plane.sql('rollback')
    await expect(as(role, 'select from net.http_request_queue')).rejects.toThrow(/permission/)
    await plane.sql('rollback')
  }
  await as('service_role', "select net.http_get('https://example.com')")
  await expect(as('service_role', 'select from net.http_request_queue')).rejects.toThrow(
    /permission/,
  )
  await plane.sql('rollback')
})

test('a slow address holds no other up, and what nobody ended is sent again', async () => {
  await plane.sql(
    `select net.http_get('${address}/slow', timeout_milliseconds => 20000) from generate_series(1, 20)`,
  )
  const began = Date.now()
  await responseOf(await call(`net.http_get('${address}/fast')`))
  expect(Date.now() - began).toBeLessThan(20_000)
  await plane.sql(`insert into net.http_request_queue (method, url, headers, timeout_milliseconds, taken_at)
    values ('GET', '${address}/left', '{}', 1000, now() - interval '61 seconds'),
      ('GET', '${address}/taken', '{}', 1000, now())`)
  await expect.poll(() => asked.some(({ url }) => url === '/left')).toBe(true)
  expect(asked.some(({ url }) => url === '/taken')).toBe(false)
  await plane.sql('delete from net.http_request_queue')
})

test('while webhooks are not enabled calls wait; a lost connection is followed by another', async () => {
  enable(false)
  const listeners = () =>
    plane.sql(
      "select pid from pg_stat_activity where query like 'select pg_advisory_lock_shared%' and datname = current_database()",
    )
  await expect.poll(listeners).toEqual([])
  await plane.sql(`select net.http_get('${address}/waits')`)
  expect(asked).toEqual([])
  enable()
  await expect.poll(() => asked.map(({ url }) => url)).toContain('/waits')
  await plane.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'plinth_sql' and datname = current_database()`,
  )
  await responseOf(await call(`net.http_get('${address}/after')`))
  await expect.poll(async () => (await listeners()).length).toBe(1)
})
