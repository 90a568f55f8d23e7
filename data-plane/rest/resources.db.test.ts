import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(
    `
    create table books (id int primary key, title text);
    insert into books values (1, 'Emma'), (2, 'Ulysses');
    create view titles as select upper(title) as title, id from books;
    create view counted as select count(*) as n from books;
    create function put_title() returns trigger language plpgsql as $$ begin
      insert into books values (new.id, lower(new.title)); return new; end $$;
    create view spoken as select id, upper(title) as title from books limit 10;
    create trigger put_title instead of insert on spoken for each row execute function put_title();
    create materialized view kept as select * from books;
    create table parts (id int, region text, book int references books, primary key (id, region))
      partition by list (region);
    create table parts_eu partition of parts for values in ('eu');
    insert into parts values (1, 'eu', 2);
    create schema "sch ön";
    create table "sch ön"."tab, ""lé" ("çol" int);
    insert into "sch ön"."tab, ""lé" values (5);
    grant usage on schema "sch ön" to anon;
    grant select on all tables in schema "sch ön" to anon;
    create function calm() returns int language sql immutable return 1;
    create function wild() returns int language sql volatile return 1;
  `,
    { exposedSchemas: ['public', 'sch ön'] },
  )
  // Only a superuser may read files.
  await withClient(plane.database.adminConfig, (client) =>
    client.query(`create extension file_fdw; create server files foreign data wrapper file_fdw;
      create foreign table public.far (version text) server files options (filename 'PG_VERSION');
      grant select, insert on public.far to anon`),
  )
  ask = restClient(plane)
})
afterAll(() => plane.close())

describe('refused', () => {
  test.each<[string, object | undefined, number, string]>([
    ['POST /counted', { n: 1 }, 500, '55000'],
    ['PATCH /spoken?id=eq.1', { title: 'x' }, 500, '55000'],
    ['DELETE /counted', undefined, 500, '55000'],
    ['POST /titles', { title: 'x' }, 400, '0A000'],
    ['POST /kept', { id: 9 }, 400, '42809'],
    ['POST /far', { version: 'x' }, 400, '0A000'],
    ['GET /parts_eu', undefined, 404, 'PGRST205'],
    ['GET /books?select=id,parts_eu(id)', undefined, 400, 'PGRST200'],
    ['PUT /rpc/calm', {}, 405, 'PGRST101'],
    ['PATCH /rpc/calm', {}, 405, 'PGRST101'],
    ['DELETE /', undefined, 405, 'PGRST117'],
  ])('%s', async (request, body, status, code) => {
    const reply = await ask(request, body ? { body } : {})
    expect(reply).toMatchObject({ status, json: { code } })
    expect(Object.keys(reply.json as object).toSorted()).toEqual([
      'code',
      'details',
      'hint',
      'message',
    ])
    expect(reply.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`)
  })
})

describe('served', () => {
  test('a view that a trigger writes for', async () => {
    const made = await ask('POST /spoken?select=title', {
      body: { id: 3, title: 'DUBLINERS' },
      headers: { prefer: 'return=representation' },
    })
    expect([made.status, made.json]).toEqual([201, [{ title: 'DUBLINERS' }]])
    expect((await ask('GET /books?id=eq.3&select=title')).json).toEqual([{ title: 'dubliners' }])
    expect((await ask('DELETE /books?id=eq.3')).status).toBe(204)
  })

  test('foreign tables, materialized views and the parents of partitions', async () => {
    expect((await ask('GET /far')).json).toEqual([{ version: expect.stringMatching(/^\d+$/) }])
    expect((await ask('GET /kept?id=eq.2')).json).toEqual([{ id: 2, title: 'Ulysses' }])
    expect((await ask('GET /parts?select=region,books(title)')).json).toEqual([
      { region: 'eu', books: { title: 'Ulysses' } },
    ])
    expect((await ask('GET /books?select=id,parts(id)&id=eq.2')).json).toEqual([
      { id: 2, parts: [{ id: 1 }] },
    ])
  })

  test('names of any letters: schema, table, column', async () => {
    const profile = Buffer.from('sch ön').toString('latin1')
    const reply = await ask(`GET /${encodeURIComponent('tab, "lé')}?çol=eq.5&select=çol`, {
      headers: { 'accept-profile': profile },
    })
    expect([reply.status, reply.json]).toEqual([200, [{ çol: 5 }]])
    expect(reply.headers.get('content-profile')).toBe(profile)
    expect((await ask('GET /', { headers: { 'accept-profile': profile } })).json).toHaveProperty([
      'paths',
      '/tab, "lé',
    ])
  })
})

test('HEAD is GET without a body, of tables, functions and the root', async () => {
  for (const path of ['/books', '/rpc/calm', '/']) {
    const [get, head] = [await ask(`GET ${path}`), await ask(`HEAD ${path}`)]
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)))
  }
})

test('OPTIONS names the verbs that the resource has', async () => {
  const allow = async (path: string) => (await ask(`OPTIONS ${path}`)).headers.get('allow')
  expect(await allow('/counted')).toBe('OPTIONS,GET,HEAD')
  expect(await allow('/kept')).toBe('OPTIONS,GET,HEAD')
  expect(await allow('/spoken')).toBe('OPTIONS,GET,HEAD,POST')
  expect(await allow('/rpc/calm')).toBe('OPTIONS,GET,HEAD,POST')
  expect(await allow('/rpc/wild')).toBe('OPTIONS,POST')
  expect(await allow('/')).toBe('OPTIONS,GET,HEAD')
})

test('an unknown schema is refused with the names of those that there are', async () => {
  for (const [method, header] of [
    ['GET', 'accept-profile'],
    ['POST', 'content-profile'],
  ] as const) {
    const reply = await ask(`${method} /books`, { headers: { [header]: 'nope' } })
    expect(reply).toMatchObject({
      status: 406,
      json: {
        code: 'PGRST106',
        message: 'Invalid schema: nope',
        hint: 'Only the following schemas are exposed: public, sch ön',
      },
    })
  }
})

test('what the way of a request adds to it reaches the database', async () => {
  await plane.sql(`create function heard() returns json language sql stable
    as $$ select current_setting('request.headers')::json $$`)
  const headers = {
    'x-client-info': 'me',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: 'a=b',
    baggage: 'c=d',
  }
  expect((await ask('GET /rpc/heard', { headers })).json).toMatchObject(headers)
})
