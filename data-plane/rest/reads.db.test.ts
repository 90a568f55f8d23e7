import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing.ts'
import { restClient, type Ask } from './test-client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(
    `
    create type mood as enum ('sad', 'ok', 'happy');
    create type pair as (x int, y text);
    create domain document as tsvector;
    create table things (
      id int primary key, name text, price numeric(30, 10), mood mood, uid uuid, at timestamptz, day date,
      flag boolean, tags text[], nums int[], data jsonb, plain json, span int4range, doc tsvector, odoc document,
      place pair, bytes bytea, "odd, ""name" text, "grüße" text, big int8);
    insert into things values
      (1, 'Apple pie', 12345678901234567890.1234567890, 'happy', '4b5fbc0c-5a3c-4b2e-9d4a-0c1b2d3e4f50',
       '2024-05-06 07:08:09+00', '2024-05-06', true, '{a,"b,c"}', '{1,2,3}', '{"k":{"n":1,"l":[10,20]},"s":"x"}',
       '{"k":1}', '[1,5)', to_tsvector('english', 'fat cats'), to_tsvector('english', 'dogs'), (7, 'seven'),
       'hi', 'comma', 'umlaut', 9007199254740993),
      (2, 'banana*split', 2, 'sad', null, null, null, false, '{}', '{}', '{"k":{"n":2},"s":"y"}', null, '[5,9)',
       to_tsvector('english', 'cats'), null, null, null, 'x"y', null, 2),
      (3, 'cherry', null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null),
      (4, 'apple', 1.5, 'ok', null, null, null, true, '{a}', '{3}', '{"k":null}', null, 'empty', null, null, null,
       null, null, null, 4);
    create function shout(things) returns text language sql stable return upper($1.name);
    create view dear as select id, name from things where price > 1;
    create table many as select i as id from generate_series(1, 2500) i;
    analyze many;
    create schema other;
    create table other.things (id int);
    insert into other.things values (42);
    grant usage on schema other to anon;
    grant select on other.things to anon;
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

const ids = async (query: string): Promise<unknown> =>
  (await ask(`GET /things?select=id&order=id&${query}`)).json

describe('filters', () => {
  test.each<[string, number[]]>([
    ['id=eq.1', [1]],
    ['id=neq.1', [2, 3, 4]],
    ['id=gt.2&id=lte.3', [3]],
    ['id=gte.2&id=lt.4', [2, 3]],
    ['id=not.eq.1', [2, 3, 4]],
    ['id=in.(1,3)', [1, 3]],
    ['id=in.()', []],
    ['id=not.in.()', [1, 2, 3, 4]],
    ['tags=in.()', []],
    ['tags=not.in.()', [1, 2, 3, 4]],
    ['data=not.in.()', [1, 2, 3, 4]],
    ['name=in.("Apple pie",cherry)', [1, 3]],
    ['%22odd, \\"name%22=in.("x\\"y","comma")', [1, 2]],
    ['nums=in.("{1,2,3}","{3}")', [1, 4]],
    ['mood=eq.happy', [1]],
    ['mood=gt.sad', [1, 4]],
    ['uid=eq.4b5fbc0c-5a3c-4b2e-9d4a-0c1b2d3e4f50', [1]],
    ['price=eq.12345678901234567890.1234567890', [1]],
    ['at=gte.2024-05-06T07:08:09Z', [1]],
    ['name=like.*pple*', [1, 4]],
    ['name=like.apple*', [4]],
    ['name=ilike.apple*', [1, 4]],
    ['name=match.^[Aa]', [1, 4]],
    ['name=imatch.^A', [1, 4]],
    ['name=like(any).{cherry,*split}', [2, 3]],
    ['name=ilike(all).{*a*,*e}', [1, 4]],
    ['id=eq(any).{1,4}', [1, 4]],
    ['id=gt(all).{1,2}', [3, 4]],
    ['flag=is.true', [1, 4]],
    ['flag=is.FALSE', [2]],
    ['flag=is.unknown', [3]],
    ['price=is.null', [3]],
    ['price=is.not_null', [1, 2, 4]],
    ['price=not.is.null', [1, 2, 4]],
    ['price=isdistinct.2', [1, 3, 4]],
    ['price=not.isdistinct.2', [2]],
    ['doc=fts(english).cat', [1, 2]],
    ['doc=fts(english).fat%26cat', [1]],
    ['doc=plfts(english).fat cats', [1]],
    ['doc=phfts(english).fat cats', [1]],
    ['doc=wfts(english).cats -fat', [2]],
    ['odoc=fts(english).dog', [1]],
    ['name=fts(english).pies', [1]],
    ['name=wfts.cherry', [3]],
    ['data=fts.x', [1]],
    ['data->>s=fts.y', [2]],
    ['doc=not.fts(english).fat', [2]],
    ['tags=cs.{a}', [1, 4]],
    ['tags=cs.{"b,c"}', [1]],
    ['nums=cd.{1,2,3,4}', [1, 2, 4]],
    ['nums=ov.{2,9}', [1]],
    ['data=cs.{"s":"y"}', [2]],
    ['span=sl.[5,6)', [1]],
    ['span=sr.[1,3)', [2]],
    ['span=nxr.[1,6)', [1]],
    ['span=nxl.[5,6)', [2]],
    ['span=adj.[5,7)', [1]],
    ['span=ov.[4,6)', [1, 2]],
    ['data->>s=eq.x', [1]],
    ['data->k->>n=eq.2', [2]],
    ['data->k->n=eq.1', [1]],
    ['data->k->l->>1=eq.20', [1]],
    ['data->k->l->>-1=eq.20', [1]],
    ['data->>nope=is.null', [1, 2, 3, 4]],
    ['plain->>k=eq.1', [1]],
    ['place->>y=eq.seven', [1]],
    ['nums->0=eq.3', [4]],
    ['shout=eq.CHERRY', [3]],
    ['gr%C3%BC%C3%9Fe=eq.umlaut', [1]],
    ['or=(id.eq.1,id.eq.4)', [1, 4]],
    ['and=(id.gt.1,or(name.eq.cherry,flag.is.true))', [3, 4]],
    ['not.or=(id.eq.1,id.in.(2,3))', [4]],
    ['not.and=(id.gt.1,id.lt.4)', [1, 4]],
    ['or=(not.and(id.gt.0,id.lt.5),name.in.("Apple pie",x))', [1]],
    ['or=(tags.cs.{a,"b,c"},name.eq."banana*split")', [1, 2]],
    ['or=(data->>s.eq.y,"odd, \\"name".eq.comma)', [1, 2]],
    ['id=eq.1&or=(id.eq.1,id.eq.2)', [1]],
  ])('%s', async (query, expected) => {
    expect(await ids(query.replaceAll('&id', '&id').replaceAll(' ', '+'))).toEqual(
      expected.map((id) => ({ id })),
    )
  })
})

describe('select and order', () => {
  test.each<[string, unknown]>([
    ['select=id,n:name', { id: 1, n: 'Apple pie' }],
    ['select=id::text,price::int8::x', undefined],
    ['select=id::text', { id: '1' }],
    ['select=c:id::text', { c: '1' }],
    ['select=flag::int', { flag: 1 }],
    ['select=nums::text[]', { nums: ['1', '2', '3'] }],
    ['select=at::date', { at: '2024-05-06' }],
    ['select=data->k->n', { n: 1 }],
    ['select=data->k->l->1', { l: 20 }],
    ['select=data->>s,x:data->k->>n', { s: 'x', x: '1' }],
    ['select=nums->0', { nums: 1 }],
    ['select=place->y,place', { y: 'seven', place: { x: 7, y: 'seven' } }],
    ['select=shout', { shout: 'APPLE PIE' }],
    ['select="odd, \\"name"', { 'odd, "name': 'comma' }],
    ['select=grüße', { grüße: 'umlaut' }],
    ['select=tags,bytes', { tags: ['a', 'b,c'], bytes: String.raw`\x6869` }],
  ])('%s', async (query, expected) => {
    const reply = await ask(`GET /things?id=eq.1&${query.replace('+', '%2B')}`)
    if (expected === undefined) expect(reply.status).toBe(400)
    else expect(reply.json).toEqual([expected])
  })

  test('numbers keep all their digits', async () => {
    const { text } = await ask('GET /things?id=eq.1&select=price,big')
    expect(text).toBe('[{"price":12345678901234567890.1234567890,"big":9007199254740993}]')
  })

  test('no select, an empty select and a star are all columns', async () => {
    const replies = await Promise.all(
      ['', '&select=', '&select=*'].map((query) => ask(`GET /things?id=eq.3${query}`)),
    )
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1)
    expect(Object.keys((replies[0]?.json as object[])[0] ?? {})).toHaveLength(20)
    const star = await ask('GET /things?id=eq.1&select=*,loud:shout')
    expect(star.json).toMatchObject([{ id: 1, name: 'Apple pie', loud: 'APPLE PIE' }])
  })

  test.each<[string, number[]]>([
    ['order=price.desc.nullslast', [1, 2, 4, 3]],
    ['order=price.desc', [3, 1, 2, 4]],
    ['order=price.asc.nullsfirst', [3, 4, 2, 1]],
    ['order=flag.nullslast,id.desc', [2, 4, 1, 3]],
    ['order=data->k->n.desc.nullslast,id', [2, 1, 3, 4]],
    ['order=shout.desc', [3, 2, 1, 4]],
    ['order=id&limit=2', [1, 2]],
    ['order=id&limit=2&offset=1', [2, 3]],
    ['order=id&limit=0', []],
    ['order=id&offset=9', []],
  ])('%s', async (query, expected) => {
    const reply = await ask(`GET /things?select=id&${query}`)
    expect(reply.json).toEqual(expected.map((id) => ({ id })))
  })
})

describe('pages and counts', () => {
  test.each<[string, Record<string, string>, number, string, number]>([
    ['', {}, 200, '0-999/*', 1000],
    ['?limit=2000', {}, 200, '0-999/*', 1000],
    ['?limit=3', {}, 200, '0-2/*', 3],
    ['?limit=3&offset=5', {}, 200, '5-7/*', 3],
    ['?id=eq.0', {}, 200, '*/*', 0],
    ['?id=eq.0', { prefer: 'count=exact' }, 200, '*/0', 0],
    ['?limit=3', { prefer: 'count=exact' }, 206, '0-2/2500', 3],
    ['?id=lt.4', { prefer: 'count=exact' }, 200, '0-2/3', 3],
    ['', { range: '10-19' }, 200, '10-19/*', 10],
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
  expect((await ask('GET /rpc/seen')).json).toMatchObject({ role: 'anon', uid: null, cookies: {} })
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
  expect(await allow('/dear')).toBe('OPTIONS,GET,HEAD,POST,PATCH,DELETE')
  expect(await allow('/rpc/seen')).toBe('OPTIONS,GET,HEAD,POST')
  expect((await ask('OPTIONS /nope')).status).toBe(404)
})
