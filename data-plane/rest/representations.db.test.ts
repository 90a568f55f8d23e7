import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import { startDataPlane, type TestDataPlane } from '../testing/data-plane.ts'
import { restClient, type Ask } from '../testing/rest/client.ts'

let plane: TestDataPlane
let ask: Ask
beforeAll(async () => {
  plane = await startDataPlane(`
    create domain colour as int;
    create function public.json(colour) returns json language sql immutable
      as $$ select to_json('#' || lpad(to_hex($1), 6, '0')) $$;
    create function colour(json) returns colour language sql immutable
      as $$ select public.colour($1 #>> '{}') $$;
    create function colour(text) returns colour language plpgsql immutable as $$ begin
      if $1 !~ '^#[0-9a-f]{6}$' then raise exception '% is no colour', $1 using errcode = '22P02'; end if;
      return ('x' || lpad(substr($1, 2), 8, '0'))::bit(32)::int;
    end $$;
    create cast (colour as json) with function public.json(colour) as implicit;
    create cast (json as colour) with function colour(json) as implicit;
    create cast (text as colour) with function colour(text) as implicit;
    create table paints (name text primary key, shade colour default 255, "the other" colour);
    insert into paints values ('sky', 8900331, null), ('ink', 0, 255);
    create table walls (id int primary key, paint text references paints, tint colour);
    insert into walls values (1, 'sky', 1), (2, 'ink', 2);
    create view bright as select name, shade from paints where shade > 100;
    create function all_paints() returns setof paints language sql stable as 'select * from public.paints';
    grant all on all tables in schema public to anon;
  `)
  await withClient(plane.database.adminConfig, (client) =>
    client.query(
      `alter role authenticator in database ${plane.database.name} set pgrst.db_aggregates_enabled = 'true'`,
    ),
  )
  ask = restClient(plane)
})
afterAll(() => plane.close())

const get = async (path: string) => (await ask(`GET ${path}`)).json

test.each<[string, unknown]>([
  [
    '/paints?order=name',
    [
      { name: 'ink', shade: '#000000', 'the other': '#0000ff' },
      { name: 'sky', shade: '#87ceeb', 'the other': null },
    ],
  ],
  ['/paints?select=shade,hue:shade&name=eq.sky', [{ shade: '#87ceeb', hue: '#87ceeb' }]],
  // A cast asks for the value itself.
  ['/paints?select=shade::int&name=eq.sky', [{ shade: 8900331 }]],
  ['/bright', [{ name: 'sky', shade: '#87ceeb' }]],
  ['/rpc/all_paints?select=name,shade&name=eq.ink', [{ name: 'ink', shade: '#000000' }]],
  // Filters of every kind; order is that of the value.
  ['/paints?select=name&shade=eq.%2387ceeb', [{ name: 'sky' }]],
  ['/paints?select=name&shade=gt.%23000001', [{ name: 'sky' }]],
  ['/paints?select=name&shade=in.(%2387ceeb,%23123456)', [{ name: 'sky' }]],
  ['/paints?select=name&shade=in.()', []],
  ['/paints?select=name&shade=eq(any).{%2387ceeb,%23123456}', [{ name: 'sky' }]],
  ['/paints?select=name&shade=isdistinct.%2387ceeb', [{ name: 'ink' }]],
  ['/paints?select=name&or=(shade.eq.%23000000,name.eq.none)', [{ name: 'ink' }]],
  ['/paints?select=name&the other=is.null', [{ name: 'sky' }]],
  ['/paints?select=name&order=shade.desc', [{ name: 'sky' }, { name: 'ink' }]],
  // In embeds on both sides, and beside an aggregate.
  [
    '/walls?select=id,tint,paints(shade)&paints.shade=eq.%2387ceeb&order=id',
    [
      { id: 1, tint: '#000001', paints: { shade: '#87ceeb' } },
      { id: 2, tint: '#000002', paints: null },
    ],
  ],
  ['/walls?select=...paints(shade)&id=eq.1', [{ shade: '#87ceeb' }]],
  [
    '/paints?select=shade,count()&order=shade',
    [
      { shade: '#000000', count: 1 },
      { shade: '#87ceeb', count: 1 },
    ],
  ],
])('GET %s', async (path, expected) => {
  expect(await get(path)).toEqual(expected)
})

test('a body is read as the database says, and its answer is shown so', async () => {
  const whole = { prefer: 'return=representation' }
  const body = [{ name: 'grass', shade: '#00ff00', 'the other': null }]
  const made = await ask('POST /paints', { body, headers: whole })
  expect([made.status, made.json]).toEqual([201, body])
  const changed = await ask('PATCH /paints?shade=eq.%2300ff00', {
    body: { shade: '#00fe00' },
    headers: whole,
  })
  expect(changed.json).toEqual([{ name: 'grass', shade: '#00fe00', 'the other': null }])
  const put = await ask('PUT /paints?name=eq.grass', {
    body: { name: 'grass', shade: '#00fd00', 'the other': '#000003' },
    headers: whole,
  })
  expect(put.json).toEqual([{ name: 'grass', shade: '#00fd00', 'the other': '#000003' }])
  const merged = await ask('POST /paints', {
    body: [{ name: 'grass', shade: '#00fc00' }],
    headers: { prefer: 'return=representation, resolution=merge-duplicates' },
  })
  expect(merged.json).toEqual([{ name: 'grass', shade: '#00fc00', 'the other': '#000003' }])
  expect((await ask('DELETE /paints?shade=eq.%2300fc00', { headers: whole })).json).toHaveLength(1)
})

test('a key that is missing takes the default, as the database shows it', async () => {
  const { json } = await ask('POST /paints?columns=name,shade', {
    body: [{ name: 'sea' }, { name: 'moss', shade: '#00aa00' }],
    headers: { prefer: 'return=representation, missing=default' },
  })
  expect(json).toMatchObject([{ shade: '#0000ff' }, { shade: '#00aa00' }])
  await ask('DELETE /paints?name=in.(sea,moss)')
})

test('what the database refuses to read is a bad request', async () => {
  const filter = await ask('GET /paints?shade=eq.green')
  expect([filter.status, filter.json]).toMatchObject([400, { code: '22P02' }])
  const body = await ask('POST /paints', { body: { name: 'odd', shade: 'green' } })
  expect([body.status, body.json]).toMatchObject([400, { code: '22P02' }])
})

test('hostile values stay values', async () => {
  const value = encodeURIComponent("#000000'); drop table paints; --")
  expect((await ask(`GET /paints?shade=eq.${value}`)).status).toBe(400)
  expect((await ask(`GET /paints?shade=in.("${value}")`)).status).toBe(400)
  expect(await get('/paints?select=name&order=name')).toEqual([{ name: 'ink' }, { name: 'sky' }])
})
