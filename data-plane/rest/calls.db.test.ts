import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(`
    create table books (id int primary key, title text);
    insert into books select i, 'book ' || i from generate_series(1, 5) i;
    create type pair as (x int, y text);
    create function add(a int, b int default 10) returns int language sql immutable return a + b;
    create function nothing(a int) returns void language sql as 'select';
    create function no_value() returns text language sql immutable return null;
    create function texts() returns setof text language sql stable as $$ select unnest('{a,b,c}'::text[]) $$;
    create function all_books() returns setof books language sql stable as 'select * from public.books';
    create function one_book(which int) returns books language sql stable as 'select * from public.books where id = which';
    create function a_pair() returns pair language sql immutable return (1, 'y')::pair;
    create function two_out(out a int, out b text) language sql immutable as $$ select 1, 'b' $$;
    create function as_table(n int) returns table (i int, sq int) language sql immutable as
      'select i, i * i from generate_series(1, n) i';
    create function echo(json) returns json language sql immutable return $1;
    create function echo_text(text) returns text language sql immutable return $1;
    create function echo_bytes(bytea) returns int language sql immutable return length($1);
    create function sum_all(variadic nums int[]) returns bigint language sql immutable as 'select sum(n) from unnest(nums) n';
    create function length_of(list int[]) returns int language sql immutable return cardinality(list);
    create function over(a int) returns text language sql immutable return 'one';
    create function over(a int, b int) returns text language sql immutable return 'two';
    create function "odd ""name"("my arg" text) returns text language sql immutable return "my arg";
    create table log (at timestamptz default clock_timestamp());
    create function logs(n int) returns setof int language sql volatile as
      'insert into public.log default values; select generate_series(1, n)';
    create function removes(below int) returns setof books language sql volatile as
      'delete from public.books where id < below and id > 100 returning *';
    create function answers(headers text, status text) returns text language plpgsql as $$ begin
      perform set_config('response.headers', headers, true);
      perform set_config('response.status', status, true);
      return 'ok'; end $$;
    create function timeout() returns text language sql stable set statement_timeout = '1234ms' as
      $$ select current_setting('statement_timeout') $$;
    create domain "text/html" as text;
    create domain "image/gif" as bytea;
    create domain "*/*" as text;
    create function page(title text) returns "text/html" language sql immutable return '<h1>' || title || '</h1>';
    create function pixel() returns "image/gif" language sql immutable return convert_to('GIF89a', 'utf8');
    create function anything() returns "*/*" language plpgsql as $$ begin
      perform set_config('response.headers', '[{"Content-Type":"text/x-own"}]', true); return 'as it likes'; end $$;
    create function hidden() returns int language sql immutable return 1;
    revoke execute on function hidden from public, anon;
  `)
  ask = restClient(plane)
})
afterAll(() => plane.close())

describe('what comes back', () => {
  test.each<[string, object | undefined, number, unknown]>([
    ['POST /rpc/add', { a: 1, b: 2 }, 200, 3],
    ['POST /rpc/add', { a: 1 }, 200, 11],
    ['GET /rpc/add?a=1&b=2', undefined, 200, 3],
    ['POST /rpc/no_value', {}, 200, null],
    ['POST /rpc/texts', {}, 200, ['a', 'b', 'c']],
    ['GET /rpc/texts?limit=2&offset=1', undefined, 200, ['b', 'c']],
    [
      'GET /rpc/all_books?select=id&id=gt.2&order=id.desc&limit=2',
      undefined,
      200,
      [{ id: 5 }, { id: 4 }],
    ],
    ['POST /rpc/all_books?select=t:title&id=eq.1', {}, 200, [{ t: 'book 1' }]],
    ['GET /rpc/one_book?which=2', undefined, 200, { id: 2, title: 'book 2' }],
    ['POST /rpc/one_book?select=title', { which: 3 }, 200, { title: 'book 3' }],
    ['POST /rpc/a_pair', {}, 200, { x: 1, y: 'y' }],
    ['POST /rpc/two_out', {}, 200, { a: 1, b: 'b' }],
    [
      'POST /rpc/as_table?i=gt.1',
      { n: 3 },
      200,
      [
        { i: 2, sq: 4 },
        { i: 3, sq: 9 },
      ],
    ],
    ['POST /rpc/echo', { any: ['thing', 1] }, 200, { any: ['thing', 1] }],
    ['POST /rpc/echo', [1, 2], 200, [1, 2]],
    ['GET /rpc/sum_all?nums=1&nums=2&nums=3', undefined, 200, 6],
    ['POST /rpc/sum_all', { nums: [4, 5] }, 200, 9],
    ['GET /rpc/length_of?list={1,2,3}', undefined, 200, 3],
    ['POST /rpc/length_of', { list: [1, 2] }, 200, 2],
    ['GET /rpc/over?a=1', undefined, 200, 'one'],
    ['POST /rpc/over', { a: 1, b: 2 }, 200, 'two'],
    ['POST /rpc/odd%20%22name', { 'my arg': 'x"\\' }, 200, 'x"\\'],
  ])('%s %j', async (request, body, status, expected) => {
    const reply = await ask(request, body === undefined ? {} : { body })
    expect(reply).toMatchObject({ status })
    expect(reply.json).toEqual(expected)
  })

  test('nothing at all', async () => {
    const reply = await ask('POST /rpc/nothing', { body: { a: 1 } })
    expect(reply).toMatchObject({ status: 204, text: '' })
    expect(reply.headers.get('content-type')).toBeNull()
  })

  test('a call without a body is a call without arguments', async () => {
    expect((await ask('POST /rpc/no_value')).status).toBe(200)
  })

  test('the whole body as text, as bytes, as a form', async () => {
    const send = (name: string, type: string, body: string) =>
      ask(`POST /rpc/${name}`, { body, headers: { 'content-type': type } })
    expect((await send('echo_text', 'text/plain', 'a "b"')).json).toBe('a "b"')
    expect((await send('echo_bytes', 'application/octet-stream', 'abc')).json).toBe(3)
    expect((await send('add', 'application/x-www-form-urlencoded', 'a=1&b=4')).json).toBe(5)
    expect(await send('add', 'text/plain', 'x')).toMatchObject({
      status: 404,
      json: { details: expect.stringContaining('with a single unnamed text parameter') },
    })
    expect((await send('add', 'image/png', 'x')).status).toBe(415)
  })

  test('one row as an object, and not two', async () => {
    const headers = { accept: 'application/vnd.pgrst.object+json' }
    expect((await ask('GET /rpc/all_books?id=eq.1', { headers })).json).toEqual({
      id: 1,
      title: 'book 1',
    })
    expect(await ask('GET /rpc/all_books', { headers })).toMatchObject({ status: 406 })
    expect((await ask('GET /rpc/texts?limit=1', { headers })).json).toBe('a')
    expect((await ask('POST /rpc/add', { body: { a: 1 }, headers })).json).toBe(11)
  })

  test('counted and in ranges', async () => {
    const reply = await ask('GET /rpc/all_books?order=id', {
      headers: { prefer: 'count=exact', range: '1-2' },
    })
    expect(reply.status).toBe(206)
    expect(reply.headers.get('content-range')).toBe('1-2/5')
    expect(reply.json).toEqual([
      { id: 2, title: 'book 2' },
      { id: 3, title: 'book 3' },
    ])
  })

  test('counting calls a function once', async () => {
    const reply = await ask('POST /rpc/logs?limit=2', {
      body: { n: 5 },
      headers: { prefer: 'count=exact' },
    })
    expect(reply.json).toEqual([1, 2])
    expect(reply.headers.get('content-range')).toBe('0-1/5')
    expect(await plane.sql('select count(*)::int as n from log')).toEqual([{ n: 1 }])
  })
})

test('a function chooses headers and status', async () => {
  const call = (headers: string, status: string) =>
    ask('POST /rpc/answers', { body: { headers, status } })
  const reply = await call('[{"X-Hello":"you"},{"Cache-Control":"max-age=60"}]', '201')
  expect(reply).toMatchObject({ status: 201, json: 'ok' })
  expect(reply.headers.get('x-hello')).toBe('you')
  expect(reply.headers.get('cache-control')).toBe('max-age=60')
  for (const bad of [
    '{}',
    '[1]',
    '[{"a":"b","c":"d"}]',
    '[{"a":1}]',
    'x',
    '[{"a b":"c"}]',
    '[{"a":"b\\r\\nc"}]',
  ]) {
    expect(await call(bad, '200')).toMatchObject({ status: 500, json: { code: 'PGRST111' } })
  }
  for (const bad of ['x', '99', '1000', '2e2.5']) {
    expect(await call('[]', bad)).toMatchObject({ status: 500, json: { code: 'PGRST112' } })
  }
})

test("a function's own timeout holds for its statement", async () => {
  expect((await ask('GET /rpc/timeout')).json).toBe('1234ms')
})

test('functions that a role may not run', async () => {
  expect(await ask('POST /rpc/hidden')).toMatchObject({ status: 401, json: { code: '42501' } })
})

test('max-affected needs rows to count, and undoes what goes over', async () => {
  const headers = { prefer: 'handling=strict, max-affected=1' }
  await plane.sql("insert into books values (101, 'x'), (102, 'y')")
  expect(await ask('POST /rpc/add', { body: { a: 1 }, headers })).toMatchObject({
    status: 400,
    json: { code: 'PGRST128' },
  })
  expect(await ask('POST /rpc/removes', { body: { below: 200 }, headers })).toMatchObject({
    status: 400,
    json: { code: 'PGRST124' },
  })
  expect((await ask('GET /books?id=gt.100&select=id')).json).toHaveLength(2)
  expect((await ask('POST /rpc/removes', { body: { below: 102 }, headers })).json).toHaveLength(1)
})

test('a function whose result is a domain named as a media type makes the body itself', async () => {
  const page = await ask('GET /rpc/page?title=Emma', { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect([page.status, page.headers.get('content-type'), page.text]).toEqual([
    200,
    'text/html',
    '<h1>Emma</h1>',
  ])
  expect((await ask('GET /rpc/page?title=Emma')).text).toBe('<h1>Emma</h1>')
  const refused = await ask('GET /rpc/page?title=Emma', { headers: { accept: 'image/png' } })
  expect(refused).toMatchObject({
    status: 406,
    json: { message: 'None of these media types are available: image/png' },
  })
  // Our own forms can still be had.
  const json = await ask('GET /rpc/page?title=Emma', { headers: { accept: 'application/json' } })
  expect(json.json).toBe('<h1>Emma</h1>')
  const image = await ask('POST /rpc/pixel', { headers: { accept: 'image/*' } })
  expect([image.headers.get('content-type'), image.text]).toEqual(['image/gif', 'GIF89a'])
  const any = await ask('GET /rpc/anything', { headers: { accept: 'text/plain' } })
  expect([any.headers.get('content-type'), any.text]).toEqual(['text/x-own', 'as it likes'])
})
