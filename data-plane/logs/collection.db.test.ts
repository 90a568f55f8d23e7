import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import ws from 'ws'
import type { LogSource } from '#contract/observability/log-sources'
import { startDataPlane, testRef, type TestDataPlane } from '../testing/data-plane.ts'
import { recordingStore } from '../testing/logs/recording.ts'

let plane: TestDataPlane
const { store, events } = recordingStore()

beforeAll(async () => {
  plane = await startDataPlane(
    `create table books (id int primary key, title text);
     grant select, insert on books to anon;`,
    {},
    testRef,
    { logs: store },
  )
})
afterAll(() => plane.close())

const of = (source: LogSource) =>
  events.flatMap(({ event }) => (event.source === source ? [event] : []))
/** The entries that one request has made. */
const byRequest = (id: string) =>
  events.flatMap(({ event }) => (event.columns.request_id === id ? [event] : []))
async function ask(
  path: string,
  init: RequestInit = {},
  key: string | undefined = plane.project.anonKey,
) {
  const id = randomUUID()
  const headers = new Headers(init.headers)
  headers.set('x-request-id', id)
  if (key !== undefined) headers.set('apikey', key)
  const answer = await fetch(plane.url + path, { ...init, headers })
  await answer.arrayBuffer()
  return { status: answer.status, id, answered: answer.headers.get('x-request-id') }
}

test('a request is an entry of the gateway, with what it asked and what it was answered', async () => {
  const { status, id, answered } = await ask('/rest/v1/books?select=id&apikey=gone', {
    headers: {
      'user-agent': 'a reader',
      referer: 'https://a.example/page?code=gone',
      'x-client-info': 'client/1',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    },
  })
  expect([status, answered]).toEqual([200, id])
  await expect.poll(() => byRequest(id)).toHaveLength(1)
  expect(byRequest(id)[0]).toMatchObject({
    source: 'edge_logs',
    level: 'info',
    message: '',
    columns: {
      method: 'GET',
      path: '/rest/v1/books',
      search: '?select=id&apikey=[redacted]',
      status: 200,
      address: '127.0.0.1',
      user_agent: 'a reader',
      duration: expect.any(Number),
    },
    rest: {
      'request.headers.referer': 'https://a.example/page?code=[redacted]',
      'request.headers.x_client_info': 'client/1',
      'request.trace_id': '0af7651916cd43dd8448eb211c80319c',
      'response.headers.content_type': 'application/json; charset=utf-8',
    },
  })
})

test('what was refused is an entry of its project, what names no project is of nobody', async () => {
  const { status, id } = await ask('/rest/v1/books', {}, 'nonsense')
  expect(status).toBe(401)
  await expect
    .poll(() => byRequest(id))
    .toMatchObject([{ level: 'warning', columns: { status: 401 } }])
  const before = events.length
  const elsewhere = plane.url.replace(testRef, 'z'.repeat(20))
  expect((await fetch(`${elsewhere}/rest/v1/books`)).status).toBe(404)
  const { id: last } = await ask('/rest/v1/books')
  await expect.poll(() => byRequest(last)).toHaveLength(1)
  expect(events.slice(before).every(({ ref }) => ref === testRef)).toBe(true)
  expect(events).toHaveLength(before + 1)
})

test('auth says what became of a sign-in, and keeps its audit; no password is anywhere', async () => {
  const password = `Secret-${randomUUID()}`
  const body = JSON.stringify({ email: 'a@example.com', password })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  expect((await ask('/auth/v1/signup', init)).status).toBe(200)
  const { status, id } = await ask('/auth/v1/token?grant_type=password', {
    ...init,
    body: JSON.stringify({ email: 'a@example.com', password: 'Wrong-1234' }),
  })
  expect(status).toBe(400)
  await expect
    .poll(() =>
      byRequest(id)
        .map(({ source }) => source)
        .toSorted(),
    )
    .toEqual(['auth_logs', 'edge_logs'])
  expect(byRequest(id).find(({ source }) => source === 'auth_logs')).toMatchObject({
    level: 'warning',
    message: 'POST /auth/v1/token 400: invalid_credentials',
    rest: { error_code: 'invalid_credentials' },
  })
  expect(of('auth_audit_logs').map(({ columns }) => columns.severity)).toEqual([
    'user_confirmation_requested',
  ])
  expect(JSON.stringify(events)).not.toContain(password)
})

test('whoever signs in is an entry of Auth with the provider, and who only tries is none', async () => {
  const { serviceKey } = plane.project
  const headers = { authorization: `Bearer ${serviceKey}`, 'content-type': 'application/json' }
  const account = { email: 'grace@example.com', password: `Secret-${randomUUID()}` }
  const post = (path: string, body: object) =>
    ask(path, { method: 'POST', headers, body: JSON.stringify(body) }, serviceKey)
  const signIns = () =>
    of('auth_logs').filter(({ rest }) => rest?.['auth_event.action'] !== undefined)
  const made = await post('/auth/v1/admin/users', { ...account, email_confirm: true })
  expect(made.status).toBe(200)
  const wrong = await post('/auth/v1/token?grant_type=password', {
    ...account,
    password: 'Wrong-1',
  })
  expect(wrong.status).toBe(400)
  const right = await post('/auth/v1/token?grant_type=password', account)
  expect(right.status).toBe(200)
  await expect.poll(signIns).toHaveLength(1)
  expect(signIns()[0]).toMatchObject({
    level: 'info',
    message: 'Login with email',
    columns: { user_id: expect.stringMatching(/^[\da-f-]{36}$/) },
    rest: { 'auth_event.action': 'login', 'auth_event.traits.provider': 'email' },
  })
  expect(JSON.stringify(signIns())).not.toContain('grace@')
})

test('storage says which bucket and which file', async () => {
  const client = createClient(plane.url, plane.project.serviceKey, {
    realtime: { transport: ws as never },
  })
  await client.storage.createBucket('pictures', { public: true })
  await client.storage.from('pictures').upload('a folder/ü.txt', 'text')
  await expect
    .poll(() => of('storage_logs').map(({ rest }) => [rest?.['bucket'], rest?.['object']]))
    .toContainEqual(['pictures', 'a folder/ü.txt'])
  const { status, id } = await ask('/storage/v1/object/public/pictures/none.txt')
  expect(status).toBe(400)
  await expect
    .poll(() => byRequest(id).find(({ source }) => source === 'storage_logs'))
    .toMatchObject({ level: 'warning', rest: { bucket: 'pictures', object: 'none.txt' } })
})

test('realtime says who came and went, and why somebody was refused', async () => {
  const client = createClient(plane.url, plane.project.anonKey, {
    realtime: { transport: ws as never },
  })
  const channel = client.channel('room')
  await new Promise<void>((joined) =>
    channel.subscribe((status) => {
      if (status === 'SUBSCRIBED') joined()
    }),
  )
  await client.realtime.disconnect()
  const kinds = () => of('realtime_logs').map(({ columns }) => columns.severity)
  await expect.poll(kinds).toEqual(['connected', 'disconnected'])
  const address = plane.url.replace('http', 'ws')
  const refused = new ws(`${address}/realtime/v1/websocket?apikey=nonsense`)
  refused.on('error', () => undefined)
  await once(refused, 'unexpected-response')
  expect(kinds()).toEqual(['connected', 'disconnected', 'refused'])
})

test('the data API says when it has read the schema', () => {
  expect(of('postgrest_logs')[0]).toMatchObject({
    level: 'info',
    message: expect.stringMatching(
      /^Schema cache loaded: \d+ tables and views, \d+ functions in \d+ ms$/,
    ),
  })
})

/** Transactions that have the id of a request now. An answer may be there a moment before its transaction is over. */
const named = () =>
  plane.sql(`select count(*)::int from pg_stat_activity where application_name like 'r:%'`)

test('a transaction of the data API has the id of its request in the database, for as long as it lasts', async () => {
  await plane.sql(`create function public.who() returns text language sql as
    $$ select current_setting('application_name') $$`)
  await plane.sql(`notify pgrst, 'reload schema'`)
  const id = randomUUID()
  const headers = { apikey: plane.project.anonKey, 'x-request-id': id }
  await expect
    .poll(async () => (await fetch(`${plane.url}/rest/v1/rpc/who`, { headers })).json())
    .toBe(`r:${id}`)
  await expect.poll(named).toEqual([{ count: 0 }])
})

test('a transaction of Auth has the id of its request in the database, for as long as it lasts', async () => {
  await plane.sql(`create table public.seen (name text);
    create function public.see() returns trigger language plpgsql security definer as
      $$ begin
        insert into public.seen values (current_setting('application_name'));
        return new;
      end $$;
    create trigger seen before insert on auth.users for each row execute function public.see()`)
  const body = JSON.stringify({ email: 'b@example.com', password: `Secret-${randomUUID()}` })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
  const { status, id } = await ask('/auth/v1/signup', init)
  expect(status).toBe(200)
  expect(await plane.sql('select distinct name from public.seen')).toEqual([{ name: `r:${id}` }])
  await expect.poll(named).toEqual([{ count: 0 }])
})

test('which projects there are logs of is told to our own programs only', async () => {
  const url = '/internal/logs'
  expect((await plane.app.inject({ method: 'GET', url })).statusCode).toBe(401)
  const headers = { authorization: 'Bearer a token that only our own programs know' }
  const found = await plane.app.inject({ method: 'GET', url, headers })
  expect([found.statusCode, found.json()]).toEqual([200, [testRef]])
})

test('what a server has written is an entry, of the request whose transaction it was', async () => {
  const url = `/internal/logs/${testRef}/server`
  const entry = {
    id: '692abc.1267-3',
    timestamp: 1_764_212_645_678_000,
    severity: 'ERROR',
    message: 'a token eyJhbGciOiJI.eyJzdWIiOiIx.abc',
    session_id: '692abc.1267',
    session_line_num: 3,
    process_id: 4711,
    sql_state_code: '42P01',
    application_name: 'r:an-id',
  }
  const payload = { entries: [entry] }
  expect((await plane.app.inject({ method: 'POST', url, payload })).statusCode).toBe(401)
  const headers = { authorization: 'Bearer a token that only our own programs know' }
  const bad = await plane.app.inject({ method: 'POST', url, headers, payload: { entries: [{}] } })
  expect(bad.statusCode).toBe(400)
  expect((await plane.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200)
  expect(of('postgres_logs')).toMatchObject([
    {
      id: '692abc.1267-3',
      timestamp: 1_764_212_645_678_000,
      level: 'error',
      message: 'a token [redacted]',
      columns: { request_id: 'an-id', severity: 'ERROR' },
      rest: { 'parsed.sql_state_code': '42P01' },
    },
  ])
})
