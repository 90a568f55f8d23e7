import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(`
    create table books (id int primary key, title text default 'untitled', pages int check (pages <> 13));
    insert into books values (1, 'Emma', 5);
    create function of_jsonb(jsonb) returns text language sql immutable return 'jsonb ' || $1::text;
    create function of_xml(xml) returns text language sql immutable return 'xml ' || $1::text;
    create function of_bytes(bytea) returns text language sql immutable return encode($1, 'hex');
    create function of_json(json) returns json language sql immutable return $1;
    create function inout_pair(inout a int, inout b int default 2) language sql immutable as 'select a, b';
    create function sets() returns table (v int) language sql immutable as 'select generate_series(1, 3)';
    create function no_row() returns books language sql stable as 'select * from public.books where false';
    create function all_of(variadic v text[]) returns text language sql immutable as
      $$ select array_to_string(v, '|') $$;
    create function several() returns setof int language sql stable as 'values (1), (2)';
    create function writes() returns void language sql volatile as 'insert into public.books (id) values (50)';
    create function whole_claims() returns json language sql stable return
      json_build_object('role', auth.role(), 'jwt', auth.jwt(), 'timeout', current_setting('statement_timeout'));
  `)
  ask = restClient(plane)
})
afterAll(() => plane.close())

const show = { prefer: 'return=representation' }

describe('refused', () => {
  test('objects with different keys, by name', async () => {
    const reply = await ask('POST /books', { body: [{ id: 2 }, { id: 3, title: 'x' }] })
    expect(reply).toMatchObject({
      status: 400,
      json: { code: 'PGRST102', message: 'All object keys must match' },
    })
  })

  test.each(['HEAD', 'GET'])('a function that writes, in a %s', async (method) => {
    const reply = await ask(`${method} /rpc/writes`)
    expect(reply.status).toBe(405)
    expect(reply.headers.get('proxy-status')).toBe('PostgREST; error=25006')
    expect((await ask('GET /books?id=eq.50')).json).toEqual([])
  })

  test('limits that only strict handling takes seriously', async () => {
    const change = (prefer: string) =>
      ask('PATCH /books?id=eq.1', { body: { pages: 6 }, headers: { prefer } })
    expect(await change('handling=strict, max-affected=0')).toMatchObject({
      status: 400,
      json: { code: 'PGRST124' },
    })
    expect((await change('max-affected=0')).status).toBe(204)
    const strict = await change('handling=strict, params=single-object')
    expect(strict).toMatchObject({ status: 400, json: { code: 'PGRST122' } })
  })
})

describe('bodies of functions', () => {
  const call = (name: string, type: string, body: string) =>
    ask(`POST /rpc/${name}`, { body, headers: { 'content-type': type } })

  test('one unnamed argument takes all of it, by its type', async () => {
    expect((await call('of_jsonb', 'application/json', '{"a":[1]}')).json).toBe('jsonb {"a": [1]}')
    expect((await call('of_json', 'application/json', '"x"')).json).toBe('x')
    expect((await call('of_xml', 'text/xml', '<a>b</a>')).json).toBe('xml <a>b</a>')
    expect((await call('of_bytes', 'application/octet-stream', '\u0001é')).json).toBe('01c3a9')
  })

  test('a preference that is gone is ignored', async () => {
    const headers = { prefer: 'params=single-object' }
    const reply = await ask('POST /rpc/inout_pair', { body: { a: 1 }, headers })
    expect([reply.status, reply.json]).toEqual([200, { a: 1, b: 2 }])
    expect(reply.headers.get('preference-applied')).toBeNull()
  })

  test('arguments that come in any number, once or as a list', async () => {
    expect((await ask('GET /rpc/all_of?v=a&v=b,c')).json).toBe('a|b,c')
    expect((await ask('GET /rpc/all_of?v=a,b')).json).toBe('a,b')
    expect((await ask('GET /rpc/all_of?v={a,"b,c"}')).json).toBe('a|b,c')
    expect((await ask('POST /rpc/all_of', { body: { v: ['a', 'b'] } })).json).toBe('a|b')
  })

  test('an argument that comes twice is the last one', async () => {
    expect((await ask('GET /rpc/inout_pair?a=5&a=1')).json).toEqual({ a: 1, b: 2 })
  })

  test('one value and values as CSV have a header line', async () => {
    const headers = { accept: 'text/csv' }
    const one = await ask('GET /rpc/all_of?v=a&v="b', { headers })
    expect(one.text).toBe('pgrst_scalar\n"a|""b"')
    expect(one.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const set = await ask('POST /rpc/several', { body: {}, headers })
    expect(set.text).toBe('pgrst_scalar\n1\n2')
  })

  test('rows and no row', async () => {
    expect((await ask('GET /rpc/sets?v=gte.2&order=v.desc')).json).toEqual([{ v: 3 }, { v: 2 }])
    expect((await ask('HEAD /rpc/sets')).status).toBe(200)
    const none = await ask('GET /rpc/no_row')
    expect([none.status, none.text]).toEqual([200, '{"id":null,"title":null,"pages":null}'])
  })
})

describe('bodies of writes', () => {
  test('an empty list, with every way to answer', async () => {
    const post = (prefer: string) => ask('POST /books', { body: [], headers: { prefer } })
    expect(await post('return=minimal')).toMatchObject({ status: 201, text: '' })
    expect(await post('return=headers-only')).toMatchObject({ status: 201, text: '' })
    expect(await post('return=representation')).toMatchObject({ status: 201, text: '[]' })
  })

  test('a key that is missing in all is the default, in some null', async () => {
    const [all, some] = [
      await ask('POST /books', { body: [{ id: 20 }], headers: show }),
      await ask('POST /books?columns=id,title', { body: [{ id: 21 }], headers: show }),
    ]
    expect(all.json).toMatchObject([{ title: 'untitled' }])
    expect(some.json).toMatchObject([{ title: null }])
    await ask('DELETE /books?id=gte.20')
  })

  test('rows that are ignored are not shown', async () => {
    const reply = await ask('POST /books', {
      body: [{ id: 1 }, { id: 30 }],
      headers: { prefer: 'resolution=ignore-duplicates, return=representation' },
    })
    expect([reply.status, reply.json]).toMatchObject([201, [{ id: 30 }]])
    await ask('DELETE /books?id=eq.30')
  })

  test('one that fails takes all others with it', async () => {
    const body = [
      { id: 40, pages: 1 },
      { id: 41, pages: 13 },
    ]
    expect(await ask('POST /books', { body })).toMatchObject({
      status: 400,
      json: { code: '23514' },
    })
    expect((await ask('GET /books?id=gte.40')).json).toEqual([])
  })

  test('what was applied is told in one order, whatever was asked first', async () => {
    const prefer =
      'max-affected=5, timezone=UTC, handling=strict, count=exact, return=minimal, missing=default, resolution=merge-duplicates'
    const reply = await ask('POST /books', { body: { id: 1 }, headers: { prefer } })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('preference-applied')).toBe(
      'resolution=merge-duplicates, missing=default, return=minimal, count=exact, handling=strict, timezone=UTC, max-affected=5',
    )
  })
})

test('the time that a statement may take, and who asks, by role', async () => {
  expect((await ask('GET /rpc/whole_claims')).json).toMatchObject({ role: 'anon', timeout: '3s' })
  const user = await ask('GET /rpc/whole_claims', { as: 'authenticated', claims: { sub: 'x' } })
  expect(user.json).toMatchObject({
    role: 'authenticated',
    jwt: { sub: 'x', role: 'authenticated' },
    timeout: '8s',
  })
})

test('the forms of one object and of a list are told apart', async () => {
  const get = (accept: string) => ask('GET /books?id=eq.1&select=id', { headers: { accept } })
  const list = await get('application/vnd.pgrst.array+json')
  expect([list.json, list.headers.get('content-type')]).toEqual([
    [{ id: 1 }],
    'application/vnd.pgrst.array+json; charset=utf-8',
  ])
  const none = await ask('GET /books?id=eq.0', {
    headers: { accept: 'application/vnd.pgrst.object+json' },
  })
  expect(none).toMatchObject({
    status: 406,
    json: {
      code: 'PGRST116',
      message: 'Cannot coerce the result to a single JSON object',
      details: 'The result contains 0 rows',
    },
  })
  const root = await ask('GET /', { headers: { accept: 'application/openapi+json' } })
  expect(root.headers.get('content-type')).toBe('application/openapi+json; charset=utf-8')
})
