import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDataPlane, type TestDataPlane } from '../../testing/data-plane.ts'
import { restClient, type Ask } from '../../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(`
    create domain "text/lines" as text;
    create domain "image/dots" as bytea;
    create domain "text/csv" as text;
    create domain "Text/Any" as text;
    create domain "application/json" as json;
    create domain "application/geo+json" as json;
    create domain "application/vnd.pgrst.object" as text;
    create domain "no media" as text;
    create domain "text/odd one" as text;
    create domain "*/*" as bytea;
    create domain colour as int;
    create function public.json(colour) returns json language sql immutable as $$ select to_json('#' || $1) $$;
    create cast (colour as json) with function public.json(colour) as implicit;

    create table books (id int primary key, gone int, title text, shade colour);
    alter table books drop column gone;
    insert into books values (1, 'Emma', 7), (2, 'Ulysses', null), (3, 'Dubliners', 9);
    create view shelf as select * from books;
    create table films (id int primary key, title text);
    insert into films values (1, 'Alien');
    create table ratings (id int primary key, film int references films);
    create table "any.thing" (id int primary key);
    insert into "any.thing" values (1), (2);
    create function loud(books) returns text language sql stable return upper($1.title);
    create function all_books() returns setof books language sql stable as 'select * from public.books';
    create function one_book() returns books language sql stable as 'select * from public.books where id = 1';
    create function pairs() returns table (a int, b int) language sql stable as 'select 1, 2';
    create function words() returns setof "text/lines" language sql stable as $$ select 'one'::"text/lines" $$;

    create function lines_step(state "text/lines", next books) returns "text/lines" language sql immutable as
      $$ select state || next.id || ' ' || next.title || ' ' || coalesce((next.shade + 1)::text, '-') || e'\\n' $$;
    create aggregate lines_agg(books) (stype = "text/lines", sfunc = lines_step, initcond = '');
    create function dots_step(state "image/dots", next books) returns "image/dots" language sql immutable as
      $$ select coalesce(state, '') || '\\xff00'::bytea || int4send(next.id) $$;
    create aggregate dots_agg(books) (stype = "image/dots", sfunc = dots_step);
    create function csv_step(state text, next books) returns text language sql immutable as
      $$ select state || next.title || ';' $$;
    create function csv_end(state text) returns "text/csv" language plpgsql as $$ begin
      perform set_config('response.headers', '[{"Content-Disposition":"attachment"}]', true); return state; end $$;
    create aggregate csv_agg(books) (stype = text, sfunc = csv_step, finalfunc = csv_end, initcond = 'own:');
    create function geo_step(state "application/geo+json", next films) returns "application/geo+json" language sql
      immutable as $$ select json_build_object('type', 'FeatureCollection', 'first', next.title) $$;
    create aggregate geo_agg(films) (stype = "application/geo+json", sfunc = geo_step);
    create function films_step(state "application/json", next films) returns "application/json" language sql
      immutable as $$ select json_build_object('film', next.title) $$;
    create aggregate films_agg(films) (stype = "application/json", sfunc = films_step);

    create function any_step(state "Text/Any", next anyelement) returns "Text/Any" language sql immutable as
      $$ select state || row_to_json(next)::text || '|' $$;
    create aggregate any_agg(anyelement) (stype = "Text/Any", sfunc = any_step, initcond = 'any:');
    create function any_lines_step(state "text/lines", next anyelement) returns "text/lines" language sql immutable as
      $$ select state || 'general ' $$;
    create aggregate any_lines(anyelement) (stype = "text/lines", sfunc = any_lines_step, initcond = '');

    create function whole_step(state "*/*", next "any.thing") returns "*/*" language sql immutable as
      $$ select coalesce(state, '') || convert_to(next.id::text, 'utf8') $$;
    create function whole_end(state "*/*") returns "*/*" language plpgsql as $$
      declare asked text := current_setting('request.headers')::json ->> 'accept'; begin
      if asked = 'text/plain' then raise sqlstate 'PT415' using message = 'not that'; end if;
      if asked = 'app/x' then
        perform set_config('response.headers', '[{"Content-Type":"app/x"}]', true); end if;
      return state; end $$;
    create aggregate whole_agg("any.thing") (stype = "*/*", sfunc = whole_step, finalfunc = whole_end);
    create function thing_step(state "text/lines", next "any.thing") returns "text/lines" language sql immutable as
      $$ select state || next.id || '.' $$;
    create aggregate thing_lines("any.thing") (stype = "text/lines", sfunc = thing_step, initcond = '');

    create function object_step(state "application/vnd.pgrst.object", next anyelement)
      returns "application/vnd.pgrst.object" language sql immutable as $$ select 'mine' $$;
    create aggregate object_agg(anyelement) (stype = "application/vnd.pgrst.object", sfunc = object_step);
    create function odd_step(state "text/odd one", next anyelement) returns "text/odd one" language sql immutable
      as $$ select 'odd' $$;
    create aggregate odd_agg(anyelement) (stype = "text/odd one", sfunc = odd_step);
  `)
  ask = restClient(plane)
})
afterAll(() => plane.close())

const as = (accept: string, more: Record<string, string> = {}) => ({ headers: { accept, ...more } })
const get = (path: string, accept: string) => ask(`GET ${path}`, as(accept))

describe('refused', () => {
  test.each([
    ['/books', 'text/nothing'],
    ['/films', 'image/dots'],
    ['/films', 'text/odd one'],
    ['/films', 'no media'],
    // A view has rows of its own.
    ['/shelf', 'image/dots'],
    // An aggregate of the whole row needs the whole row.
    ['/books?select=id', 'image/dots'],
    ['/books?select=id,title,shade', 'image/dots'],
    ['/books?select=*,loud', 'image/dots'],
    ['/books', 'image/dots;q=0'],
    ['/rpc/pairs', 'image/dots'],
    ['/rpc/words', 'text/lines'],
    ['/books', 'application/geo+json'],
  ])('%s as %s', async (path, accept) => {
    const type = accept.split(';')[0]
    expect(await get(path, accept)).toMatchObject({
      status: 406,
      json: {
        code: 'PGRST107',
        message: `None of these media types are available: ${type}`,
      },
    })
  })

  test('an aggregate that the role may not run, and one that raises', async () => {
    await plane.sql('revoke execute on function dots_step, dots_agg(books) from public, anon')
    expect(await get('/books', 'image/dots')).toMatchObject({
      status: 401,
      json: { code: '42501' },
    })
    await plane.sql('grant execute on function dots_step, dots_agg(books) to anon')
    expect((await get('/books', 'image/dots')).status).toBe(200)
    expect(await get('/any.thing', 'text/plain')).toMatchObject({
      status: 415,
      json: { message: 'not that' },
    })
  })

  test('a change whose rows cannot be shown is not made', async () => {
    const headers = { prefer: 'return=representation', accept: 'text/nothing' }
    expect((await ask('DELETE /films?id=eq.1', { headers })).status).toBe(406)
    expect((await get('/films', 'application/json')).text).toContain('Alien')
  })
})

describe('an aggregate of the rows of one table', () => {
  test('makes the body of those that are asked for, as they are stored', async () => {
    const reply = await get('/books?id=lt.3&order=id.desc', 'text/lines')
    expect(reply).toMatchObject({ status: 200, text: '2 Ulysses -\n1 Emma 8\n' })
    expect(reply.headers.get('content-type')).toBe('text/lines')
    expect(reply.headers.get('content-range')).toBe('0-1/*')
    expect((await get('/books?select=*&limit=1&order=id', 'text/lines')).text).toBe('1 Emma 8\n')
    expect((await get('/books?id=eq.0', 'text/lines')).text).toBe('')
  })

  test('makes bytes', async () => {
    const { anonKey } = plane.project
    const response = await fetch(`${plane.url}/rest/v1/books?id=eq.3`, {
      headers: { apikey: anonKey, accept: 'image/*' },
    })
    expect(response.headers.get('content-type')).toBe('image/dots')
    expect(Buffer.from(await response.arrayBuffer()).toString('hex')).toBe('ff0000000003')
    expect((await get('/books?id=eq.0', 'image/dots')).text).toBe('')
  })

  test('takes the place of a form of ours, for that table alone', async () => {
    const own = await get('/books?order=id', 'text/csv')
    expect(own.text).toBe('own:Emma;Ulysses;Dubliners;')
    expect(own.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(own.headers.get('content-disposition')).toBe('attachment')
    expect((await get('/shelf?select=id&id=eq.1', 'text/csv')).text).toBe('id\n1')
    expect((await get('/books?select=id&id=eq.1', 'text/csv')).text).toBe('id\n1')
    for (const accept of ['*/*', 'application/json', 'application/*']) {
      expect((await get('/films', accept)).json).toEqual({ film: 'Alien' })
    }
    expect((await get('/films?select=id', '*/*')).json).toEqual([{ id: 1 }])
    const geo = await get('/films', 'application/geo+json')
    expect(geo.json).toEqual({ type: 'FeatureCollection', first: 'Alien' })
    expect(geo.headers.get('content-type')).toBe('application/geo+json; charset=utf-8')
  })

  test('serves what a write shows', async () => {
    const show = as('text/lines', { prefer: 'return=representation' })
    const made = await ask('POST /books', { body: { id: 7, title: 'New' }, ...show })
    expect([made.status, made.text]).toEqual([201, '7 New -\n'])
    const changed = await ask('PATCH /books?id=eq.7', { body: { shade: 1 }, ...show })
    expect([changed.status, changed.text]).toEqual([200, '7 New 2\n'])
    const put = await ask('PUT /books?id=eq.7', {
      body: { id: 7, title: 'Put', shade: 2 },
      ...show,
    })
    expect([put.status, put.text]).toEqual([200, '7 Put 3\n'])
    const removed = await ask('DELETE /books?id=eq.7', show)
    expect([removed.status, removed.text]).toEqual([200, '7 Put 3\n'])
    expect(removed.headers.get('content-type')).toBe('text/lines')
    const quiet = await ask('DELETE /books?id=eq.7', as('text/lines'))
    expect([quiet.status, quiet.headers.get('content-type')]).toEqual([204, null])
  })

  test('serves the functions that return such rows', async () => {
    expect((await get('/rpc/all_books?id=eq.1', 'text/lines')).text).toBe('1 Emma 8\n')
    const posted = await ask('POST /rpc/all_books?order=id', { body: {}, ...as('text/csv') })
    expect(posted.text).toBe('own:Emma;Ulysses;Dubliners;')
    const one = await ask('GET /rpc/one_book', as('text/lines', { prefer: 'count=exact' }))
    expect([one.text, one.headers.get('content-range')]).toEqual(['1 Emma 8\n', '0-0/1'])
  })
})

describe('an aggregate of any rows', () => {
  test('serves every table, view and function, with the columns that are asked for', async () => {
    const json = async (path: string) => (await get(path, 'text/any')).text
    expect(await json('/films')).toBe('any:{"id":1,"title":"Alien"}|')
    expect(await json('/shelf?select=title,id&id=eq.1')).toBe('any:{"title":"Emma","id":1}|')
    expect(await json('/films?select=title,ratings(id)')).toBe(
      'any:{"title":"Alien","ratings":[]}|',
    )
    expect(await json('/rpc/pairs')).toBe('any:{"a":1,"b":2}|')
    expect(await json('/books?select=shade&id=eq.1')).toBe('any:{"shade":"#7"}|')
  })

  test('comes after that of the table', async () => {
    expect((await get('/films', 'text/lines')).text).toBe('general ')
    expect((await get('/books?select=id&id=eq.1', 'text/lines')).text).toBe('general ')
    expect((await get('/books?id=eq.1', 'text/lines')).text).toBe('1 Emma 8\n')
  })
})

describe('a handler for any type', () => {
  test('answers whatever is asked for, and says what it is', async () => {
    for (const accept of ['*/*', 'application/json', 'text/csv', 'image/png', 'text/*']) {
      const reply = await get('/any.thing?order=id', accept)
      expect([reply.status, reply.text]).toEqual([200, '12'])
      expect(reply.headers.get('content-type')).toBe('application/octet-stream')
    }
    const own = await get('/any.thing?order=id', 'app/x')
    expect([own.text, own.headers.get('content-type')]).toEqual(['12', 'app/x'])
  })

  test('comes after that of the very type, and before what serves all tables', async () => {
    expect((await get('/any.thing?order=id', 'text/lines')).text).toBe('1.2.')
    expect((await get('/any.thing?order=id', 'text/any')).text).toBe('12')
  })

  test('leaves the forms of the protocol alone', async () => {
    const accept = 'application/vnd.pgrst.object+json'
    expect((await get('/any.thing?id=eq.1', accept)).json).toEqual({ id: 1 })
    expect((await get('/films?id=eq.1', 'application/vnd.pgrst.object')).json).toMatchObject({
      id: 1,
    })
  })
})

test('the best by its quality, then as it is named', async () => {
  const typeOf = async (accept: string) =>
    (await get('/books?id=eq.1', accept)).headers.get('content-type')
  expect(await typeOf('application/json;q=0.5, text/lines')).toBe('text/lines')
  expect(await typeOf('image/dots;q=0.1, text/lines;q=0.2')).toBe('text/lines')
  expect(await typeOf('text/nothing, image/dots, */*')).toBe('image/dots')
  expect(await typeOf('*/*, text/lines;q=0.9')).toBe('application/json; charset=utf-8')
  expect(await typeOf('text/html, application/xml;q=0.9, */*;q=0.8')).toBe(
    'application/json; charset=utf-8',
  )
  expect(await typeOf('application/json;q=0, */*')).toBe('text/csv; charset=utf-8')
})

test('what is new or dropped is known at once', async () => {
  await get('/films', '*/*')
  await plane.sql(`create domain "text/late" as text;
    create function late_step(state "text/late", next films) returns "text/late" language sql immutable
      as $$ select 'late' $$;
    create aggregate late_agg(films) (stype = "text/late", sfunc = late_step)`)
  const late = async () => (await get('/films', 'text/late')).status
  await expect.poll(late).toBe(200)
  await plane.sql('drop aggregate late_agg(films)')
  await expect.poll(late).toBe(406)
})
