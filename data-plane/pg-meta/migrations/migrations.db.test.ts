import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Migration } from '#contract/database/migrations'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

const change = (body: object) => meta.call('POST', 'changes', body)
const list = async (query = '') =>
  (await meta.call('GET', `migrations${query}`)).body as Migration[]
const tableExists = async (name: string) =>
  (await meta.sql(`select to_regclass('${name}') is not null as there`))[0]?.['there']

test.each([
  ['a name that is none', { name: 'Drop everything!', statements: ['select 1'] }],
  ['nothing to do', { name: 'empty', statements: [] }],
  ['an ended transaction', { name: 'ends', statements: ['create table ended ()', 'commit'] }],
  ['two without one', { name: 'two', statements: ['select 1', 'select 2'], transaction: false }],
])('%s is refused', async (_what, body) => {
  expect((await change(body)).status).toBe(400)
})

test('a project without migrations has none, and nothing is made by looking', async () => {
  expect(await list()).toEqual([])
  expect(await tableExists('supabase_migrations.schema_migrations')).toBe(false)
})

test('a change and its record are both made, with what takes it back', async () => {
  const { status, body } = await change({
    name: 'create_table_books',
    statements: ['create table books (id int primary key)'],
    inverse: ['drop table books'],
  })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({ name: 'create_table_books', rollback: ['drop table books'] })
  expect(await tableExists('books')).toBe(true)
  expect(await list()).toEqual([body])
})

test('a statement that fails takes those before it back and records nothing', async () => {
  const before = await list()
  const { status, body } = await change({
    name: 'half',
    statements: ['create table half (id int)', 'create table books (id int)'],
  })
  expect(status).toBe(400)
  expect(body).toMatchObject({ code: '42P07' })
  expect(await tableExists('half')).toBe(false)
  expect(await list()).toEqual(before)
})

test('changes of one second have versions of their own, in order', async () => {
  const names = ['one', 'two', 'three', 'four']
  await Promise.all(
    names.map((name) => change({ name, statements: [`comment on table books is '${name}'`] })),
  )
  const versions = (await list('?limit=4')).map(({ version }) => version)
  expect(new Set(versions).size).toBe(4)
  expect(versions).toEqual(versions.toSorted().toReversed())
  expect((await list(`?before=${versions[3]}`)).map(({ name }) => name)).toEqual([
    'create_table_books',
  ])
})

test('what Postgres refuses in a transaction runs alone', async () => {
  const { status, body } = await change({
    name: 'index_books',
    statements: ['create index concurrently books_id on books (id)'],
    transaction: false,
  })
  expect(status, JSON.stringify(body)).toBe(200)
  expect((await list('?limit=1')).map(({ name }) => name)).toEqual(['index_books'])
})

test('who may only read changes nothing', async () => {
  const { body } = await meta.call(
    'POST',
    'changes',
    { name: 'no', statements: ['create table no ()'] },
    'plinth_read_only',
  )
  expect(body).toMatchObject({ code: '25006' })
  expect(await tableExists('no')).toBe(false)
})

test('a table of another tool is read as it is and completed by the first change', async () => {
  await meta.sql(`drop schema supabase_migrations cascade; create schema supabase_migrations;
    create table supabase_migrations.schema_migrations (version text primary key, name text);
    insert into supabase_migrations.schema_migrations values ('0001', 'theirs')`)
  expect(await list()).toEqual([
    { version: '0001', name: 'theirs', statements: [], rollback: null, created_by: null },
  ])
  expect((await change({ name: 'ours', statements: ['select 1'] })).status).toBe(200)
  expect((await list()).map(({ name }) => name)).toEqual(['ours', 'theirs'])
})
