import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Extension, Index, Publication } from '#contract/database/database-object-shapes'
import type { Replication } from '#contract/database/database-server'
import { offeredParameters } from '#contract/database/database-parameters'
import type { DatabaseServer } from '#contract/database/database-server'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`
    create schema "we""ird";
    create table "we""ird"."Bücher; --" (id int primary key, "a'b" text unique, n int);
    create index odd on "we""ird"."Bücher; --" ("a'b", lower("a'b") desc) where n > 0;
    create view plain as select * from "we""ird"."Bücher; --";
    create view grouped as select count(*) from plain;
    create materialized view kept as select 1 as one;
    create materialized view empty as select 1 as one with no data;
    comment on view plain is 'It''s plain';
  `)
})
afterAll(() => meta.close())

const get = async <T>(path: string) => {
  const { status, body } = await meta.call('GET', path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as T
}
const send = async <T>(method: 'POST' | 'PATCH' | 'DELETE', path: string, given?: object) => {
  const { status, body } = await meta.call(method, path, given)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as T
}

test.each<[string, 'GET' | 'POST' | 'PATCH' | 'DELETE', string, object | undefined, number]>([
  ['an unknown view', 'GET', 'views/1', undefined, 404],
  ['an unknown materialized view', 'GET', 'materialized-views/1', undefined, 404],
  ['an unknown foreign table', 'GET', 'foreign-tables/1', undefined, 404],
  ['an unknown index', 'GET', 'indexes/1', undefined, 404],
  ['an id beyond an oid', 'GET', 'indexes/99999999999', undefined, 400],
  ['an unknown extension', 'GET', 'extensions/no_such', undefined, 404],
  ['an extension that is not there', 'POST', 'extensions', { name: 'no_such' }, 400],
  ['an extension without a name', 'POST', 'extensions', {}, 400],
  ['an extension that takes a superuser', 'POST', 'extensions', { name: 'dblink' }, 400],
  ['an extension that another has made', 'DELETE', 'extensions/pgcrypto', undefined, 400],
  ['an unknown publication', 'GET', 'publications/1', undefined, 404],
  [
    'a publication of nothing that exists',
    'POST',
    'publications',
    { name: 'p', tables: ['x'] },
    400,
  ],
  ['all tables as no superuser', 'POST', 'publications', { name: 'p', tables: null }, 400],
  ['an unknown slot', 'DELETE', 'replication/slots/none', undefined, 404],
])('%s is refused', async (_, method, path, body, status) => {
  const answer = await meta.call(method, path, body)
  expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
})

test('views say whether rows can be changed through them, and bring their columns', async () => {
  const views = await get<{ name: string; columns: { name: string }[]; id: number }[]>('views')
  const plain = views.find(({ name }) => name === 'plain')
  expect(plain).toMatchObject({ schema: 'public', is_updatable: true, comment: "It's plain" })
  expect(plain?.columns.map(({ name }) => name)).toEqual(['id', "a'b", 'n'])
  expect(views.find(({ name }) => name === 'grouped')).toMatchObject({ is_updatable: false })
  expect(await get(`views/${plain?.id}`)).toEqual(plain)
  const [bare] = await get<object[]>('views?include_columns=false&included_schemas=public')
  expect(bare).not.toHaveProperty('columns')
  expect(await get('views?excluded_schemas=public&included_schemas=public')).toEqual([])
})

test('materialized views say whether they hold anything', async () => {
  expect(await get('materialized-views')).toMatchObject([
    { name: 'empty', is_populated: false, columns: [{ name: 'one' }] },
    { name: 'kept', is_populated: true },
  ])
})

test('indexes say what they are made of, what they weigh and whether anyone reads them', async () => {
  const indexes = await get<Index[]>(`indexes?included_schemas=${encodeURIComponent('we"ird')}`)
  expect(indexes.map(({ name, constraint }) => [name, constraint])).toEqual([
    ["Bücher; --_a'b_key", "Bücher; --_a'b_key"],
    ['Bücher; --_pkey', 'Bücher; --_pkey'],
    ['odd', null],
  ])
  const odd = indexes[2]
  expect(odd).toMatchObject({
    table: 'Bücher; --',
    access_method: 'btree',
    is_unique: false,
    is_valid: true,
    number_of_attributes: 2,
    key_attributes: [2, 0],
    options: [0, 3],
    index_predicate: '(n > 0)',
    scans: 0,
    last_scan: null,
    index_attributes: [
      { attribute_number: 1, attribute_name: "a'b", data_type: 'text' },
      { attribute_number: 2, attribute_name: 'lower', data_type: 'text' },
    ],
  })
  expect(odd?.bytes).toBeGreaterThan(0)
  expect(await get(`indexes/${odd?.id}`)).toEqual(odd)
  await meta.sql(`drop index "we""ird".odd; ${odd?.index_definition}`)
})

test('an extension is enabled where it is wanted, kept while it is needed, and disabled', async () => {
  const before = await get<Extension>('extensions/earthdistance')
  expect(before).toMatchObject({ installed_version: null, schema: null, requires: ['cube'] })
  const hstore = await send<Extension>('POST', 'extensions', { name: 'hstore', schema: 'app "x"' })
  expect(hstore).toMatchObject({ schema: 'app "x"', may_change: true, relocatable: true })
  // What a trusted extension makes belongs to the server's own superuser, who alone may move it.
  expect(await meta.call('PATCH', 'extensions/hstore', { schema: 'extensions' })).toMatchObject({
    status: 400,
    body: { code: '42501' },
  })
  await send('PATCH', 'extensions/hstore', { update: true })
  await meta.sql('create table uses (h "app ""x""".hstore)')
  expect(await meta.call('DELETE', 'extensions/hstore')).toMatchObject({
    status: 400,
    body: { code: '2BP01' },
  })
  await send('DELETE', 'extensions/hstore?cascade=true')
  expect(await get('extensions/hstore')).toMatchObject({ installed_version: null })
})

test('the list of extensions says which the caller may enable and change', async () => {
  const all = await get<Extension[]>('extensions')
  const of = (name: string) => all.find((one) => one.name === name)
  expect(of('citext')).toMatchObject({ may_enable: true, may_change: false })
  expect(of('file_fdw')).toMatchObject({ may_enable: false })
  expect(of('pgcrypto')).toMatchObject({ schema: 'extensions', may_change: false })
  expect(await get<Extension[]>('extensions?limit=1&offset=1')).toEqual([all[1]])
})

test('a publication is made, changed and dropped, whatever its tables are called', async () => {
  const name = 'P "1"'
  const made = await send<Publication>('POST', 'publications', {
    name,
    publish_insert: true,
    publish_delete: true,
    tables: ['we"ird.Bücher; --'],
  })
  expect(made).toMatchObject({
    name,
    owner: 'postgres',
    publish_insert: true,
    publish_update: false,
    publish_delete: true,
    publish_truncate: false,
    tables: [{ schema: 'we"ird', name: 'Bücher; --' }],
    has_more: false,
  })
  await meta.sql('create table published (id int)')
  const changed = await send<Publication>('PATCH', `publications/${made.id}`, {
    name: 'p2',
    publish_update: true,
    tables: [{ schema: 'public', name: 'published' }],
  })
  expect(changed).toMatchObject({
    name: 'p2',
    publish_insert: true,
    publish_update: true,
    tables: [{ name: 'published' }],
  })
  expect(await meta.call('PATCH', `publications/${made.id}`, { tables: null })).toMatchObject({
    status: 400,
  })
  await meta.sql('alter publication p2 set table published where (id > 1)')
  expect(await get(`publications/${made.id}`)).toMatchObject({ has_more: true })
  expect(await send('DELETE', `publications/${made.id}`)).toMatchObject({ name: 'p2' })
  expect((await get<Publication[]>('publications')).map((one) => one.name)).toEqual([
    'supabase_realtime',
    'supabase_realtime_messages_publication',
  ])
})

test('replication tells of slots and how far they are behind, and drops what nobody reads', async () => {
  const slot = `slot_${Math.random().toString(36).slice(2, 10)}`
  await meta.sql(`select extensions.create_replication_slot('${slot}')`)
  const { slots, ...server } = await get<Replication>('replication')
  expect(server).toMatchObject({ wal_level: 'logical', is_replica: false, readers: [] })
  expect(slots.find(({ name }) => name === slot)).toMatchObject({
    type: 'logical',
    plugin: 'pgoutput',
    active: false,
    wal_status: 'reserved',
    lag_bytes: expect.any(Number),
  })
  expect(
    await meta.call('DELETE', `replication/slots/${slot}`, undefined, 'plinth_read_only'),
  ).toMatchObject({ status: 400 })
  expect(await send('DELETE', `replication/slots/${slot}`)).toEqual({ name: slot })
})

test('the server tells its parameters: where they are set, and which the caller may set', async () => {
  await meta.sql(`do $$ begin
    execute format('alter database %I set work_mem = ''7MB''', current_database()); end $$`)
  const server = await get<DatabaseServer>('server')
  expect(server).toMatchObject({ owner: 'postgres', is_superuser: false, ssl: false })
  const of = (name: string) => server.parameters.find((one) => one.name === name)
  expect(of('work_mem')).toMatchObject({
    database_value: '7MB',
    unit: 'kB',
    vartype: 'integer',
    context: 'user',
    may_set: true,
  })
  // The session that asks has signed in as another login, whose settings are its own.
  await meta.sql("alter role postgres set random_page_cost = '1.25'")
  const direct = await get<DatabaseServer>('server')
  const cost = direct.parameters.find(({ name }) => name === 'random_page_cost')
  await meta.sql('alter role postgres reset random_page_cost')
  expect(cost).toMatchObject({ setting: '1.25', role_value: '1.25', database_value: null })
  expect(of('work_mem')).toMatchObject({ setting: '7MB', role_value: null })
  expect(of('statement_timeout')).toMatchObject({ setting: '0', role_value: null })
  expect(of('statement_timeout')?.roles).toContainEqual({ role: 'anon', value: '3s' })
  expect(of('max_connections')).toMatchObject({ context: 'postmaster', may_set: false })
  expect(of('log_statement')).toMatchObject({ context: 'superuser', may_set: false })
  expect(server.parameters.map(({ name }) => name.toLowerCase())).toEqual(
    offeredParameters.map(({ name }) => name.toLowerCase()),
  )
})
