import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(`
    create table books (id int primary key, title text not null, data jsonb, pages int check (pages > 0),
      shelf int);
    create view hidden as select 1 as id, 'x' as title;
    insert into books (id, title, pages) values (1, 'one', 10), (2, 'two', 20);
    create table shelves (id int primary key);
    alter table books add foreign key (shelf) references shelves;
    create function add(a int, b int) returns int language sql immutable return a + b;
    create function pairs() returns table (a int, b int) language sql immutable as 'select 1, 2';
    create function over(a int) returns int language sql immutable return a;
    create function over(a text) returns text language sql immutable return a;
  `)
  ask = restClient(plane)
})
afterAll(() => plane.close())

const problem = (code: string) => expect.objectContaining({ code })

describe('columns', () => {
  const many = (part: string, times: number) => Array.from({ length: times }, () => part).join(',')
  const places = (times: number) => Array.from({ length: times }, (_, i) => `data->a${i}`).join(',')
  test.each([
    ['more than a statement can have', `select=${many('id', 1661)}`],
    ['of all, again and again', `select=${many('*', 400)}`],
    ['in an embed', `select=id,shelves(${many('id', 1661)})`],
    ['that are spread', `select=${many('id', 1600)},...shelves(${many('id', 61)})`],
    ['to sort by, beside those to show', `select=${many('id', 660)}&order=${places(1001)}`],
  ])('%s', async (_, query) => {
    const reply = await ask(`GET /books?${query}`)
    expect(reply).toMatchObject({ status: 400, json: problem('PGRST100') })
  })
  test('of a function whose columns nothing knows', async () => {
    const reply = await ask(`POST /rpc/pairs?select=${many('*', 1000)}`, { body: {} })
    expect(reply).toMatchObject({ status: 400, json: problem('PGRST100') })
  })
  test.each([
    ['as many as a statement can have', `select=${many('id', 1660)}`],
    ['spread and sorted by', `select=${many('id', 900)},...shelves(id)&order=${places(759)}`],
  ])('%s', async (_, query) => {
    expect((await ask(`GET /books?${query}`)).status).toBe(200)
  })
})

describe('by address and verb', () => {
  test.each([
    ['GET /boks', 404, 'PGRST205'],
    ['GET /pg_class', 404, 'PGRST205'],
    ['POST /boks', 404, 'PGRST205'],
    ['GET /rpc/ad', 404, 'PGRST202'],
    ['GET /rpc/add?a=1', 404, 'PGRST202'],
    ['POST /rpc/over', 404, 'PGRST202'],
    ['GET /rpc/over?a=1', 300, 'PGRST203'],
    ['GET /a/b', 404, 'PGRST125'],
    ['GET /rpc', 404, 'PGRST205'],
    ['GET /rpc/a/b', 404, 'PGRST125'],
    ['GET /b%00ks', 404, 'PGRST205'],
    ['DELETE /rpc/add', 405, 'PGRST101'],
    ['POST /', 405, 'PGRST117'],
    ['PUT /books', 405, 'PGRST105'],
    ['PUT /books?id=gt.1', 405, 'PGRST105'],
    ['PUT /books?id=eq.1&title=eq.x', 405, 'PGRST105'],
    ['PUT /books?id=eq.1&limit=1', 400, 'PGRST114'],
    ['PROPFIND /books', 405, 'PGRST117'],
  ])('%s', async (request, status, code) => {
    const isWrite = /^(POST|PUT)/.test(request)
    const reply = await ask(request, isWrite ? { body: { id: 1, title: 'x' } } : {})
    expect(reply).toMatchObject({ status, json: problem(code) })
    expect(reply.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`)
  })

  test('hints name what is close', async () => {
    expect((await ask('GET /boks')).json).toEqual({
      code: 'PGRST205',
      message: "Could not find the table 'public.boks' in the schema cache",
      details: null,
      hint: "Perhaps you meant the table 'public.books'",
    })
    expect((await ask('GET /rpc/ad?x=1')).json).toMatchObject({
      message: 'Could not find the function public.ad(x) in the schema cache',
      details:
        'Searched for the function public.ad with parameter x, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.add',
    })
    expect((await ask('POST /rpc/add', { body: { a: 1, c: 2 } })).json).toMatchObject({
      details:
        'Searched for the function public.add with parameters a, c or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.',
      hint: 'Perhaps you meant to call the function public.add(a, b)',
    })
    expect((await ask('GET /zzzzzz')).json).toMatchObject({ hint: null })
  })

  test('schemas that are not exposed', async () => {
    for (const profile of ['auth', 'pg_catalog', 'nope']) {
      const reply = await ask('GET /books', { headers: { 'accept-profile': profile } })
      expect(reply).toMatchObject({ status: 406, json: problem('PGRST106') })
    }
  })
})

describe('by query, body and preference', () => {
  test.each([
    ['GET /books?nope=eq.1', 400, '42703'],
    ['GET /books?select=nope', 400, '42703'],
    ['GET /books?id=eq.x', 400, '22P02'],
    ['GET /books?id=in.(1,x)', 400, '22P02'],
    ['GET /books?id=5', 400, 'PGRST100'],
    ['GET /books?id=eq.%00', 400, 'PGRST100'],
    ['GET /books?id=eq.99999999999', 400, '22003'],
    ['GET /books?title=fts(nope).x', 400, '42704'],
    ['GET /books?title=match.(', 400, '2201B'],
    ['GET /books?select=id::nope', 400, '42704'],
    ['GET /books?select=id.sum()', 400, 'PGRST123'],
    ['GET /books?nope.id=eq.1', 400, 'PGRST108'],
    ['GET /books?order=nope(id)', 400, 'PGRST108'],
    ['GET /books?limit=-1', 416, 'PGRST103'],
  ])('%s', async (request, status, code) => {
    expect(await ask(request)).toMatchObject({ status, json: problem(code) })
  })

  test.each([
    ['POST /books', '{', 400, 'PGRST102'],
    ['POST /books', '', 400, 'PGRST102'],
    ['POST /books', '[{"id":1},{"title":"x"}]', 400, 'PGRST102'],
    ['POST /books', '{"nope":1}', 400, 'PGRST204'],
    ['POST /books?columns=nope', '{"id":1}', 400, 'PGRST204'],
    ['POST /books?on_conflict=nope', '{"id":1}', 400, 'PGRST204'],
    ['POST /books', '{"id":1,"title":"x"}', 409, '23505'],
    ['POST /books', '{"id":5,"title":"x","shelf":7}', 409, '23503'],
    ['POST /books', '{"id":5,"title":null}', 400, '23502'],
    ['POST /books', '{"id":5,"title":"x","pages":-1}', 400, '23514'],
    ['POST /books', '{"id":"x","title":"x"}', 400, '22P02'],
    ['POST /books', '{"id":5,"title":"a\\u0000b"}', 400, '22P05'],
    ['POST /books', '{"id":5,"title":"x","data":{"a":"\\u0000"}}', 400, '22P05'],
    ['POST /books', '{"id":5,"title":"\\ud800"}', 400, '22P02'],
    ['PUT /books?id=eq.1', '{"id":2,"title":"x"}', 400, 'PGRST115'],
    ['PUT /books?id=eq.1', '[]', 400, 'PGRST115'],
    ['PATCH /books?id=eq.1', '[{"id":1},{"id":2}]', 400, 'PGRST102'],
    ['POST /hidden', '{"id":5}', 500, '55000'],
    ['POST /rpc/add', '[', 400, 'PGRST102'],
    ['POST /rpc/add', '{"a":"x","b":1}', 400, '22P02'],
  ])('%s %s', async (request, body, status, code) => {
    expect(await ask(request, { body })).toMatchObject({ status, json: problem(code) })
    expect((await ask('GET /books?select=id&order=id')).json).toEqual([{ id: 1 }, { id: 2 }])
  })

  test.each([
    ['accept', 'image/png', 406, 'PGRST107'],
    ['accept', 'application/vnd.pgrst.object+json', 406, 'PGRST116'],
    ['range', '9-5', 416, 'PGRST103'],
    ['prefer', 'handling=strict, foo=bar', 400, 'PGRST122'],
    ['prefer', 'handling=strict, timezone=Nowhere/Land', 400, 'PGRST122'],
  ])('%s: %s', async (name, value, status, code) => {
    const reply = await ask('GET /books', { headers: { [name]: value } })
    expect(reply).toMatchObject({ status, json: problem(code) })
  })

  test('an offset behind an exact count', async () => {
    const reply = await ask('GET /books?offset=9', { headers: { prefer: 'count=exact' } })
    expect(reply).toMatchObject({ status: 416, json: problem('PGRST103') })
    expect(reply.headers.get('content-range')).toBe('*/2')
  })

  test('JSON so deep that reading it would exhaust the database', async () => {
    const body = `{"id":5,"title":"x","data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    const reply = await ask('POST /books', { body })
    expect(reply).toMatchObject({ status: 400, json: problem('PGRST102') })
  })

  test('an address that cannot be decoded', async () => {
    expect(await ask('GET /%ff')).toMatchObject({ status: 400, json: problem('bad_url') })
  })

  test('other content types, too much, and bytes that are no text', async () => {
    const type = (value: string) => ({ headers: { 'content-type': value }, body: 'x' })
    expect((await ask('POST /books', type('image/png'))).status).toBe(415)
    expect((await ask('POST /books', type('nonsense'))).status).toBe(415)
    const large = await ask('POST /books', { body: `{"title":"${'x'.repeat(33 * 1024 * 1024)}"}` })
    expect(large.status).toBe(413)
    const response = await fetch(`${plane.url}/rest/v1/books`, {
      method: 'POST',
      headers: { apikey: plane.project.anonKey, 'content-type': 'application/json' },
      body: Buffer.from('7b226964223aff7d', 'hex'),
    })
    expect(response.status).toBe(400)
  })

  test('a change of more rows than allowed is undone', async () => {
    const prefer = 'handling=strict, max-affected=1'
    const reply = await ask('PATCH /books?id=gt.0', { body: { title: 'x' }, headers: { prefer } })
    expect(reply).toMatchObject({ status: 400, json: problem('PGRST124') })
    expect((await ask('GET /books?title=eq.x')).json).toEqual([])
  })

  test('a change that should show one row and has two is undone', async () => {
    const reply = await ask('DELETE /books?id=gt.0', {
      headers: { prefer: 'return=representation', accept: 'application/vnd.pgrst.object+json' },
    })
    expect(reply).toMatchObject({
      status: 406,
      json: { code: 'PGRST116', details: 'The result contains 2 rows' },
    })
    expect((await ask('GET /books?select=id')).json).toHaveLength(2)
  })
})
