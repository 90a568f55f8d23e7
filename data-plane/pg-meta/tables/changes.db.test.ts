import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Column, Table } from '#contract/database/pg-meta-shapes'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

const made = async (table: object) => {
  const { status, body } = await meta.call('POST', 'tables', table)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Table
}
const column = (table: Table, name: string) => {
  const found = table.columns?.find((candidate) => candidate.name === name)
  if (!found) throw new Error(`There is no column ${name}`)
  return found
}

test('columns are changed step by step and all or nothing', async () => {
  const table = await made({ name: 'changing', columns: [{ name: 'a', type: 'text' }] })
  const { id } = column(table, 'a')
  const patch = async (change: object) =>
    (await meta.call('PATCH', `columns/${id}`, change)).body as Column
  expect(
    await patch({
      type: 'int8',
      is_nullable: false,
      is_unique: true,
      comment: 'n',
      check: 'a > 0',
    }),
  ).toMatchObject({
    format: 'int8',
    is_nullable: false,
    is_unique: true,
    comment: 'n',
    check: '(a > 0)',
  })
  expect(await patch({ default_value: 7 })).toMatchObject({
    default_value: expect.stringContaining('7'),
  })
  expect(await patch({ drop_default: true, is_identity: true })).toMatchObject({
    default_value: null,
    identity_generation: 'BY DEFAULT',
  })
  expect(await patch({ identity_generation: 'ALWAYS' })).toMatchObject({
    identity_generation: 'ALWAYS',
  })
  expect(
    await patch({
      is_identity: false,
      is_nullable: true,
      is_unique: false,
      check: null,
      comment: null,
      name: 'b',
    }),
  ).toMatchObject({
    name: 'b',
    is_identity: false,
    is_nullable: true,
    is_unique: false,
    check: null,
    comment: null,
  })
  expect(await meta.call('PATCH', `columns/${id}`, { name: 'c', type: 'no_such' })).toMatchObject({
    status: 400,
  })
  expect((await meta.call('GET', `columns/${id}`)).body).toMatchObject({ name: 'b' })
})

test.each([
  ['an identity with a default', 'd', { is_identity: true }],
  ['a default for an identity', 'id', { default_value: 1 }],
  ['a default for what is computed', 'g', { default_value: 1 }],
  ['a key that may be NULL', 'id', { is_nullable: true }],
])('%s is refused, and nothing is changed', async (_, name, change) => {
  await meta.sql(`create table if not exists contrary (
    id int generated always as identity primary key, d int default 1, g int generated always as (d * 2) stored, i int
  ); create unique index if not exists contrary_i on contrary (i)`)
  const [table] = (await meta.call('GET', 'tables?search=contrary')).body as Table[]
  if (!table) throw new Error('The table is missing')
  const { id } = column(table, name)
  const answer = await meta.call('PATCH', `columns/${id}`, { ...change, comment: 'changed' })
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
  expect((await meta.call('GET', `columns/${id}`)).body).toMatchObject({ comment: null })
})

test('a column is unique by a constraint of its own: not by the primary key, an index or a constraint of several', async () => {
  await meta.sql(`create table singular (
    id int primary key, own int unique, i int, part int, a int, b int, unique (a, b)
  ); create unique index singular_i on singular (i); create unique index singular_part on singular (part) where part > 0`)
  const [table] = (await meta.call('GET', 'tables?search=singular')).body as Table[]
  if (!table) throw new Error('The table is missing')
  expect(table.columns?.flatMap((one) => (one.is_unique ? [one.name] : []))).toEqual(['own'])
  const patch = async (name: string, change: object) =>
    meta.call('PATCH', `columns/${column(table, name).id}`, change)
  const constraints = async () =>
    (
      await meta.sql(
        "select conname from pg_constraint where conrelid = 'singular'::regclass and contype = 'u' order by 1",
      )
    ).map(({ conname }) => conname)
  // What was told can be sent back.
  for (const name of ['id', 'i', 'part']) {
    const answer = await patch(name, { is_unique: false, comment: 'same' })
    expect(answer).toMatchObject({ status: 200, body: { is_unique: false, comment: 'same' } })
  }
  expect(await constraints()).toEqual(['singular_a_b_key', 'singular_own_key'])
  for (const name of ['id', 'i']) {
    const answer = await patch(name, { is_unique: true })
    expect(answer).toMatchObject({ status: 200, body: { is_unique: true } })
  }
  expect(await constraints()).toEqual([
    'singular_a_b_key',
    'singular_i_key',
    'singular_id_key',
    'singular_own_key',
  ])
  expect((await patch('own', { is_unique: false })).body).toMatchObject({ is_unique: false })
})

test('all constraints of a kind go, and new ones find a name that is free', async () => {
  await meta.sql(`
    create table many (a int, constraint one unique (a), constraint two unique (a), check (a > 0), check (a > 1));
    create table other_one (b int, constraint many_pkey primary key (b))`)
  const [table] = (await meta.call('GET', 'tables?search=many')).body as Table[]
  if (!table) throw new Error('The table is missing')
  const { id } = column(table, 'a')
  const patch = async (change: object) => (await meta.call('PATCH', `columns/${id}`, change)).body
  expect(await patch({ is_unique: false, check: null })).toMatchObject({
    is_unique: false,
    check: null,
  })
  await meta.sql('create sequence many_a_key; create view many_a_key1 as select 1')
  expect(await patch({ is_unique: true, check: 'a > 2' })).toMatchObject({
    is_unique: true,
    check: '(a > 2)',
  })
  const keyed = await meta.call('PATCH', `tables/${table.id}`, { primary_keys: [{ name: 'a' }] })
  expect(keyed.body).toMatchObject({ primary_keys: [{ name: 'a' }] })
  const constraints = await meta.sql(
    "select conname from pg_constraint where conrelid = 'many'::regclass and contype in ('p', 'u') order by 1",
  )
  expect(constraints).toEqual([{ conname: 'many_a_key2' }, { conname: 'many_pkey1' }])
})

test('columns of views have comments, names and defaults of their own', async () => {
  await meta.sql('create view looked as select 1 as a')
  const [view] = (await meta.call('GET', 'views?included_schemas=public')).body as Table[]
  const found = view?.columns?.[0]
  const change = { name: 'b', comment: 'seen', default_value: 7 }
  const { body } = await meta.call('PATCH', `columns/${found?.id}`, change)
  expect(body).toMatchObject({ name: 'b', comment: 'seen', default_value: '7' })
})

test('tables are changed: key, schema, name, row level security, replica identity', async () => {
  const columns = [
    { name: 'a', type: 'int4', is_primary_key: true },
    { name: 'b', type: 'int4' },
  ]
  const table = await made({ name: 'movable', columns })
  await meta.call('POST', 'schemas', { name: 'other' })
  const change = {
    name: 'moved',
    schema: 'other',
    rls_enabled: true,
    rls_forced: true,
    replica_identity: 'FULL',
    primary_keys: [{ name: 'b' }, { name: 'a' }],
  }
  const { body } = await meta.call('PATCH', `tables/${table.id}`, change)
  const keys = (body as Table).primary_keys.map(({ name }) => name)
  expect(body).toMatchObject({
    name: 'moved',
    schema: 'other',
    rls_enabled: true,
    rls_forced: true,
    replica_identity: 'FULL',
  })
  expect(keys).toEqual(['b', 'a'])
})

test.each([
  ['a default', { default_value: '0); drop table victim; --', default_value_format: 'expression' }],
  [
    'a default that breaks out',
    { default_value: '0), add column c int default (0', default_value_format: 'expression' },
  ],
  ['a check', { check: 'true); drop table victim; --' }],
  ['a type', { type: 'int4; drop table victim' }],
  ['a type with a column behind it', { type: 'int4, b int4' }],
])('SQL in %s stays one value', async (_, part) => {
  await meta.sql('create table if not exists victim ()')
  const columns = [{ name: 'a', type: 'int4', ...part }]
  expect(await meta.call('POST', 'tables', { name: 'attack', columns })).toMatchObject({
    status: 400,
  })
  expect(await meta.sql("select 1 from pg_class where relname in ('attack')")).toEqual([])
  expect(await meta.sql("select 1 as there from pg_class where relname = 'victim'")).toEqual([
    { there: 1 },
  ])
})

const names = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  .filter(
    (name) => !name.includes('\0') && !/\p{Surrogate}/u.test(name) && Buffer.byteLength(name) <= 63,
  )

test('any name survives create, rename and drop', async () => {
  await fc.assert(
    fc.asyncProperty(names, names, names, async (tableName, columnName, renamed) => {
      const table = await made({ name: tableName, columns: [{ name: columnName, type: 'int4' }] })
      expect(table.name).toBe(tableName)
      const { id } = column(table, columnName)
      expect((await meta.call('PATCH', `columns/${id}`, { name: renamed })).body).toMatchObject({
        name: renamed,
      })
      const moved = await meta.call('PATCH', `tables/${table.id}`, { name: renamed })
      expect(moved.body).toMatchObject({ id: table.id, name: renamed })
      expect(await meta.call('DELETE', `tables/${table.id}`)).toMatchObject({
        status: 200,
        body: { name: renamed },
      })
    }),
    {
      numRuns: 15,
      examples: [
        ['"; drop table x; --', 'select', "a'b\\"],
        ['ünïcödé ☃', 'a.b', 'A B'],
      ],
    },
  )
})
