import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Difference } from '#contract/database/migration-tools'
import type { Migration } from '#contract/database/migrations'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

type Drift = {
  since: string | null
  version: string | null
  elsewhere: string[]
  differences: Difference[]
  total: number
}
const drift = async () => (await meta.call('GET', 'migrations/drift')).body as Drift
const found = async () =>
  (await drift()).differences.map(({ kind, name, change }) => `${change} ${kind} ${name}`)
const change = async (...statements: string[]) => {
  const { status, body } = await meta.call('POST', 'changes', { name: 'change', statements })
  expect(status, JSON.stringify(body)).toBe(200)
}
const apply = (body: object) => meta.call('POST', 'migrations/apply', body)
const versions = async () =>
  ((await meta.call('GET', 'migrations')).body as Migration[]).map(({ version }) => version)

test.each([
  ['a version of letters', { version: 'x', name: 'a', sql: 'select 1' }],
  ['a name with a path', { version: '1', name: '../a', sql: 'select 1' }],
  ['no statement', { version: '1', name: 'a', sql: ' -- nothing' }],
  ['a NUL', { version: '1', name: 'a', sql: 'select \0' }],
  [
    'its own transactions',
    { version: '1', name: 'a', sql: 'begin; create table gone (); commit;' },
  ],
])('a file with %s is refused', async (_what, body) => {
  expect((await apply(body)).status).toBe(400)
  expect(await versions()).toEqual([])
})

test('nobody has looked yet: there is nothing to compare with, and looking makes nothing', async () => {
  expect(await drift()).toMatchObject({ since: null, total: 0 })
  expect(await meta.sql("select to_regclass('supabase_migrations.structure') as made")).toEqual([
    { made: null },
  ])
})

test('what a recorded change does is expected, what is done beside it is told', async () => {
  await meta.sql('create table was_there (id int)')
  await change('create table books (id int primary key, title text)')
  expect(await found()).toEqual([])
  await meta.sql(`
    alter table books add column pages int;
    create index by_title on books (title);
    drop table was_there;
    create function twice(n int) returns int language sql as 'select n * 2'`)
  expect(await found()).toEqual([
    'added function public.twice(n integer)',
    'added index public.by_title',
    'changed table public.books',
    'removed table public.was_there',
  ])
  const [, , books] = (await drift()).differences
  expect(books?.before).not.toContain('pages')
  expect(books?.after).toContain('pages integer')
})

test('a change that follows keeps what was different before it, unless it touches the same', async () => {
  await change('create table unrelated (id int)')
  expect(await found()).toHaveLength(4)
  await change('drop index by_title', 'alter table unrelated add column more text')
  expect(await found()).toEqual([
    'added function public.twice(n integer)',
    'changed table public.books',
    'removed table public.was_there',
  ])
})

test('the structure is accepted as it is; who may only read accepts nothing', async () => {
  const denied = await meta.call('POST', 'migrations/drift', {}, 'plinth_read_only')
  expect(denied.status).toBe(400)
  expect(await found()).toHaveLength(3)
  expect((await meta.call('GET', 'migrations/drift', undefined, 'plinth_read_only')).status).toBe(
    200,
  )
  expect((await meta.call('POST', 'migrations/drift', {})).body).toEqual({
    objects: expect.any(Number),
  })
  expect(await found()).toEqual([])
})

test('names do not depend on the search path, and it is as it was afterwards', async () => {
  await change('set local search_path = pg_catalog, public', 'create table public.paths (id int)')
  expect(await found()).toEqual([])
  const { body } = await meta.call('POST', 'query', { query: 'show search_path' })
  expect(JSON.stringify(body)).toContain('public')
})

test('policies, enums, triggers, rights and comments are looked at', async () => {
  await change("create type mood as enum ('good')")
  await meta.sql(`
    alter type mood add value 'bad';
    create policy mine on books for select to anon using (id = 1);
    grant select on unrelated to anon;
    comment on column unrelated.id is 'n';
    revoke all on unrelated from authenticated;`)
  expect(await found()).toEqual([
    'added policy public.books.mine',
    'changed table public.unrelated',
    'changed type public.mood',
  ])
  await meta.call('POST', 'migrations/drift', {})
})

test('a file runs and is recorded under its own version, both or neither', async () => {
  const version = '29990101000000'
  const failing = { version, name: 'half', sql: 'create table half (id int); select nothing' }
  expect((await apply(failing)).status).toBe(400)
  expect(await versions()).not.toContain(version)
  const { body } = await apply({
    version,
    name: 'add-shelves.up',
    sql: 'create table shelves (id int); -- all\ninsert into shelves values (1);',
  })
  expect(body).toMatchObject({
    version,
    name: 'add-shelves.up',
    statements: ['create table shelves (id int)', 'insert into shelves values (1)'],
  })
  expect(await found()).toEqual([])
  expect((await apply({ version, name: 'again', sql: 'select 1' })).status).toBe(409)
})

test('an older file waits for a word, and one that runs alone may', async () => {
  const older = { version: '20200101000000', name: 'older', sql: 'create table older (id int)' }
  expect((await apply(older)).status).toBe(409)
  expect((await apply({ ...older, out_of_order: true })).status).toBe(200)
  const alone = {
    version: '29990101000001',
    name: 'alone',
    sql: 'create index concurrently alone on books (title)',
  }
  expect((await apply(alone)).status).toBe(200)
  expect(await found()).toEqual([])
})

test('the record is changed without running anything', async () => {
  const mark = (version: string, body: object) =>
    meta.call('POST', `migrations/${version}/mark`, body)
  expect((await mark('20200101000000', { as: 'applied' })).status).toBe(409)
  expect((await mark('20200101000000', { as: 'reverted' })).status).toBe(200)
  expect((await mark('20200101000000', { as: 'reverted' })).status).toBe(404)
  expect(await meta.sql("select to_regclass('older') is not null as there")).toEqual([
    { there: true },
  ])
  const again = { as: 'applied', name: 'older', sql: 'create table older (id int)' }
  expect((await mark('20200101000000', again)).status).toBe(200)
  expect(await versions()).toContain('20200101000000')
})

test('migrations are found by version, name and what they do', async () => {
  const search = async (text: string) =>
    ((await meta.call('GET', `migrations?search=${encodeURIComponent(text)}`)).body as Migration[])
      .length
  expect(await search('ADD-shelves')).toBe(1)
  expect(await search('29990101000000')).toBe(1)
  expect(await search('insert into shelves')).toBe(1)
  expect(await search('%')).toBe(0)
})

test('what another tool has recorded since is named', async () => {
  await meta.sql(`create table by_others (id int);
    insert into supabase_migrations.schema_migrations (version, name) values ('29990101000009', 'others')`)
  expect(await drift()).toMatchObject({ elsewhere: ['29990101000009'], total: 1 })
})
