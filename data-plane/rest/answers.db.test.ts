import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(
    `
    create type mood as enum ('sad', 'ok', 'happy');
    create table things (id int primary key, name text, mood mood, price numeric);
    insert into things values (1, 'Apple', 'happy', 2), (2, 'banana', 'sad', 3), (3, 'cherry', null, null), (4, 'apple', 'ok', 4);
    create view dear as select id, name from things where price > 1;
    create table many as select i as id from generate_series(1, 2500) i;
    analyze many;
    create schema other;
    create table other.things (id int);
    insert into other.things values (42);
    grant usage on schema other to anon;
    grant select, insert, delete on other.things to anon;
    create function seen() returns json language sql stable return json_build_object(
      'role', current_user, 'claims', current_setting('request.jwt.claims')::json, 'method', current_setting('request.method'),
      'path', current_setting('request.path'), 'headers', current_setting('request.headers')::json,
      'cookies', current_setting('request.cookies')::json, 'search_path', current_setting('search_path'),
      'read_only', current_setting('transaction_read_only'), 'zone', current_setting('timezone'),
      'uid', auth.uid(), 'email', auth.email());
  `,
    { exposedSchemas: ['public', 'other'] },
  )
  ask = restClient(plane)
})
afterAll(() => plane.close())

describe('pages and counts', () => {
  test.each<[string, Record<string, string>, number, string, number]>([
    ['', {}, 200, '0-999/*', 1000],
    ['?limit=2000', {}, 200, '0-999/*', 1000],
    ['?limit=3', {}, 200, '0-2/*', 3],
    ['?limit=3&offset=5', {}, 200, '5-7/*', 3],
    ['?id=lt.4&offset=-1', {}, 200, '0-2/*', 3],
    ['?limit=3&offset=-1', {}, 200, '0-1/*', 2],
    ['?id=eq.0', {}, 200, '*/*', 0],
    ['?id=eq.0', { prefer: 'count=exact' }, 200, '*/0', 0],
    ['?limit=3', { prefer: 'count=exact' }, 206, '0-2/2500', 3],
    ['?id=lt.4', { prefer: 'count=exact' }, 200, '0-2/3', 3],
    ['', { range: '10-19' }, 200, '10-19/*', 10],
    ['', { range: '10-19', 'range-unit': 'items' }, 200, '10-19/*', 10],
    ['?limit=5', { range: '0-99' }, 200, '0-4/*', 5],
    ['?offset=5', { range: '0-9' }, 200, '5-9/*', 5],
    ['?limit=5', { range: '90-' }, 200, '*/*', 0],
    ['', { range: '2499-', prefer: 'count=exact' }, 206, '2499-2499/2500', 1],
    ['?limit=3', { prefer: 'count=planned' }, 206, '0-2/2500', 3],
    ['?limit=3', { prefer: 'count=estimated' }, 206, '0-2/2500', 3],
    ['?id=lt.4', { prefer: 'count=estimated' }, 200, '0-2/3', 3],
  ])('%s %o', async (query, headers, status, range, rows) => {
    const reply = await ask(`GET /many${query}`, { headers })
    expect(reply.status).toBe(status)
    expect(reply.headers.get('content-range')).toBe(range)
    expect(reply.json).toHaveLength(rows)
  })

  test('a guess of the planner never contradicts the rows', async () => {
    await plane.sql(
      'create table fresh (id int); insert into fresh select generate_series(1, 5000)',
    )
    const reply = await ask('GET /fresh?offset=4990', { headers: { prefer: 'count=planned' } })
    expect([200, 206]).toContain(reply.status)
    expect(reply.json).toHaveLength(10)
  })

  test('HEAD has the headers of GET and no body', async () => {
    const options = { headers: { prefer: 'count=exact' } }
    const [get, head] = [
      await ask('GET /many?limit=3', options),
      await ask('HEAD /many?limit=3', options),
    ]
    expect(head.text).toBe('')
    expect(head.status).toBe(206)
    for (const name of ['content-range', 'content-type', 'content-length', 'preference-applied']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
  })
})

describe('forms of an answer', () => {
  const get = (path: string, accept: string) => ask(`GET ${path}`, { headers: { accept } })

  test('one object', async () => {
    const reply = await get('/things?id=eq.2&select=id,mood', 'application/vnd.pgrst.object+json')
    expect(reply.json).toEqual({ id: 2, mood: 'sad' })
    expect(reply.headers.get('content-type')).toBe(
      'application/vnd.pgrst.object+json; charset=utf-8',
    )
  })

  test('without nulls', async () => {
    const object = 'application/vnd.pgrst.object+json;nulls=stripped'
    expect((await get('/things?id=eq.3', object)).json).toEqual({ id: 3, name: 'cherry' })
    const array = 'application/vnd.pgrst.array+json;nulls=stripped'
    expect((await get('/things?id=eq.3', array)).json).toEqual([{ id: 3, name: 'cherry' }])
  })

  test('CSV: a header, quotes where needed, nothing for null', async () => {
    await plane.sql(String.raw`create table csv (id int, "a,b" text, c text);
      insert into csv values (1, 'x,"y"', 'back\slash'), (2, null, e'two\nlines'), (3, '', 'z')`)
    const reply = await get('/csv?order=id', 'text/csv')
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(reply.text).toBe('id,"a,b",c\n1,"x,""y""","back\\slash"\n2,,"two\nlines"\n3,"",z')
    expect((await get('/csv?id=eq.0', 'text/csv')).text).toBe('')
  })

  test('the best of what the client takes', async () => {
    const types = await Promise.all(
      ['*/*', 'text/html,application/json;q=0.9', 'text/csv;q=0.1,application/json', ''].map(
        async (accept) => (await get('/many?limit=1', accept)).headers.get('content-type'),
      ),
    )
    expect(new Set(types)).toEqual(new Set(['application/json; charset=utf-8']))
  })
})

test('headers tell the schema, the canonical address and what was applied', async () => {
  const reply = await ask('GET /many?limit=1&id=eq.1', {
    headers: { prefer: 'timezone=Europe/Berlin, count=exact, foo=bar' },
  })
  expect(reply.headers.get('content-profile')).toBe('public')
  expect(reply.headers.get('content-location')).toBe('/many?id=eq.1&limit=1')
  expect(reply.headers.get('preference-applied')).toBe('count=exact, timezone=Europe/Berlin')
  expect(reply.headers.get('access-control-allow-origin')).toBe('*')
})

test('another exposed schema by its profile, and views like tables', async () => {
  const other = await ask('GET /things', { headers: { 'accept-profile': 'other' } })
  expect(other.json).toEqual([{ id: 42 }])
  expect(other.headers.get('content-profile')).toBe('other')
  const headers = { 'content-profile': 'other' }
  const made = await ask('POST /things', { body: { id: 43 }, headers })
  expect([made.status, made.headers.get('content-profile')]).toEqual([201, 'other'])
  expect(await plane.sql('select id from other.things order by id')).toEqual([
    { id: 42 },
    { id: 43 },
  ])
  expect((await ask('DELETE /things?id=eq.43', { headers })).status).toBe(204)
  expect((await ask('GET /dear?order=id&select=id')).json).toEqual([
    { id: 1 },
    { id: 2 },
    { id: 4 },
  ])
})

test('the database knows the request, and only for its time', async () => {
  const sub = '4b5fbc0c-5a3c-4b2e-9d4a-0c1b2d3e4f50'
  const reply = await ask('GET /rpc/seen?x=eq.1', {
    as: 'authenticated',
    claims: { sub, email: 'ada@example.com' },
    headers: { cookie: 'a=1; b=2', 'X-Client-Info': 'me', prefer: 'timezone=Asia/Tokyo' },
  })
  // A filter on a function that returns one value has no column to look at.
  expect(reply.status).toBe(400)
  const seen = await ask('GET /rpc/seen', {
    as: 'authenticated',
    claims: { sub, email: 'ada@example.com' },
    headers: { cookie: 'a=1; b=2', 'X-Client-Info': 'me', prefer: 'timezone=Asia/Tokyo' },
  })
  expect(seen.json).toMatchObject({
    role: 'authenticated',
    claims: { sub, role: 'authenticated' },
    method: 'GET',
    path: '/rpc/seen',
    headers: { 'x-client-info': 'me' },
    cookies: { a: '1', b: '2' },
    search_path: '"public", "public", "extensions"',
    read_only: 'on',
    zone: 'Asia/Tokyo',
    uid: sub,
    email: 'ada@example.com',
  })
  expect((await ask('GET /rpc/seen')).json).toMatchObject({
    role: 'anon',
    claims: { role: 'anon' },
    uid: null,
    cookies: {},
  })
})

test('the root describes what the role may see', async () => {
  await plane.sql("revoke all on csv from anon; comment on table many is 'Very many'")
  const seen = (await ask('GET /')).json
  expect(seen).toMatchObject({
    swagger: '2.0',
    paths: { '/many': { get: { summary: 'Very many' } }, '/rpc/seen': {} },
    definitions: { things: { properties: { mood: { enum: ['sad', 'ok', 'happy'] } } } },
  })
  expect(seen).not.toHaveProperty(['paths', '/csv'])
  expect((await ask('GET /', { as: 'service_role' })).json).toHaveProperty(['paths', '/csv'])
})

test('OPTIONS tells what can be done', async () => {
  const allow = async (path: string) => (await ask(`OPTIONS ${path}`)).headers.get('allow')
  expect(await allow('/things')).toBe('OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE')
  // A simple view has its table's key.
  expect(await allow('/dear')).toBe('OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE')
  expect(await allow('/rpc/seen')).toBe('OPTIONS,GET,HEAD,POST')
  expect((await ask('OPTIONS /nope')).status).toBe(404)
})
