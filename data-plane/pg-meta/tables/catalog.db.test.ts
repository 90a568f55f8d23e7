import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Table } from '#contract/database/pg-meta-shapes'
import { ref, startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

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

test.each<[string, 'GET' | 'POST' | 'PATCH' | 'DELETE', string, object | undefined, number]>([
  ['an unknown project', 'GET', '/zzzzzzzzzzzzzzzzzzzz/tables', undefined, 404],
  ['a malformed ref', 'GET', '/NOPE/tables', undefined, 400],
  ['an unknown table', 'GET', 'tables/1', undefined, 404],
  ['an unknown column', 'GET', 'columns/1.1', undefined, 404],
  ['a malformed column id', 'GET', 'columns/1', undefined, 400],
  ['an unknown schema', 'DELETE', 'schemas/1', {}, 404],
  ['a table id beyond an oid', 'GET', 'tables/99999999999', undefined, 400],
  ['a name with a NUL', 'POST', 'schemas', { name: 'a\0b' }, 400],
  ['a name that Postgres would cut', 'POST', 'schemas', { name: 'é'.repeat(32) }, 400],
  ['a schema that exists', 'POST', 'schemas', { name: 'public' }, 400],
  [
    'an unknown type',
    'POST',
    'tables',
    { name: 'x', columns: [{ name: 'a', type: 'no_such' }] },
    400,
  ],
])('%s is refused', async (_, method, path, body, status) => {
  const answer = await meta.call(method, path, body)
  expect(answer).toMatchObject({ status, body: { message: expect.any(String) } })
})

test('an unknown login is refused', async () => {
  const answer = await meta.app.inject({
    url: `/${ref}/tables`,
    headers: { 'x-plinth-login': 'supabase_admin' },
  })
  expect(answer.statusCode).toBe(400)
})

test('a forwarder may send any body with a deletion', async () => {
  const made = await meta.call('POST', 'schemas', { name: 'short_lived' })
  const answer = await meta.app.inject({
    method: 'DELETE',
    url: `/${ref}/schemas/${(made.body as { id: number }).id}`,
    headers: { 'x-plinth-login': 'postgres', 'content-type': 'text/plain' },
    body: '{}',
  })
  expect(answer.statusCode).toBe(200)
})

test('the read-only login may look and not touch', async () => {
  expect(await meta.call('GET', 'tables', undefined, 'plinth_read_only')).toMatchObject({
    status: 200,
  })
  const answer = await meta.call('POST', 'schemas', { name: 'mine' }, 'plinth_read_only')
  expect(answer).toMatchObject({ status: 400, body: { code: '25006' } })
})

test('schemas are made, renamed, listed and removed', async () => {
  const { body } = await meta.call('POST', 'schemas', { name: 'app' })
  const { id } = body as { id: number }
  expect(body).toEqual({ id, name: 'app', owner: 'postgres' })
  expect(await meta.call('PATCH', `schemas/${id}`, { name: 'App "2"' })).toMatchObject({
    body: { id, name: 'App "2"' },
  })
  const listed = await meta.call('GET', 'schemas')
  const names = (listed.body as { name: string }[]).map(({ name }) => name)
  expect(names).toContain('App "2"')
  expect(names).not.toContain('pg_catalog')
  await meta.sql('create table "App ""2""".t ()')
  expect(await meta.call('DELETE', `schemas/${id}`)).toMatchObject({
    status: 400,
    body: { code: '2BP01' },
  })
  expect(await meta.call('DELETE', `schemas/${id}?cascade=true`)).toMatchObject({
    status: 200,
    body: { id },
  })
})

test('a table comes whole: columns, key, comment and row level security in one go', async () => {
  await meta.sql("create type mood as enum ('sad', 'happy')")
  const table = await made({
    name: 'people',
    comment: "it's people",
    rls_enabled: true,
    columns: [
      {
        name: 'id',
        type: 'int8',
        is_identity: true,
        identity_generation: 'ALWAYS',
        is_primary_key: true,
        is_nullable: false,
      },
      {
        name: 'tenant',
        type: 'uuid',
        default_value: 'gen_random_uuid()',
        default_value_format: 'expression',
        is_primary_key: true,
      },
      {
        name: 'name',
        type: 'varchar(20)',
        default_value: "O'Brien \\ x",
        is_unique: true,
        comment: 'full',
      },
      { name: 'moods', type: 'mood[]' },
      { name: 'age', type: 'int4', check: 'age >= 0' },
      {
        name: 'seen at',
        type: 'timestamp(3) with time zone',
        is_nullable: false,
        default_value: 'now()',
        default_value_format: 'expression',
      },
    ],
  })
  expect(table).toMatchObject({ schema: 'public', rls_enabled: true, comment: "it's people" })
  expect(table.primary_keys.map(({ name }) => name)).toEqual(['id', 'tenant'])
  expect(column(table, 'id')).toMatchObject({
    data_type: 'bigint',
    format: 'int8',
    is_identity: true,
    identity_generation: 'ALWAYS',
    is_nullable: false,
  })
  expect(column(table, 'name')).toMatchObject({
    data_type: 'character varying',
    is_unique: true,
    comment: 'full',
  })
  expect(column(table, 'moods')).toMatchObject({
    data_type: 'ARRAY',
    format: '_mood',
    enums: ['sad', 'happy'],
  })
  expect(column(table, 'age')).toMatchObject({ check: '(age >= 0)' })
  expect(column(table, 'seen at')).toMatchObject({ default_value: 'now()', is_nullable: false })
  const [row] = await meta.sql(
    'insert into people (age, "seen at") values (3, default) returning name',
  )
  expect(row).toEqual({ name: "O'Brien \\ x" })
})

test('a failed table leaves nothing behind', async () => {
  const columns = [
    { name: 'a', type: 'int4' },
    { name: 'a', type: 'int4' },
  ]
  expect(await meta.call('POST', 'tables', { name: 'half', columns })).toMatchObject({
    status: 400,
    body: { code: '42701' },
  })
  expect(await meta.sql("select 1 from pg_class where relname = 'half'")).toEqual([])
})

test('what cannot be known from a table alone: generated, domain, composite, relationships, partitions', async () => {
  await meta.sql(`
    create domain short as text not null check (length(value) < 5);
    create type pair as (a int, b text);
    create table parents (a int, b int, primary key (a, b));
    create table kids (
      id int primary key, p short, q pair, n int, twice int generated always as (n * 2) stored,
      pa int, pb int, constraint kids_parent foreign key (pb, pa) references parents (b, a) on delete cascade
    )`)
  const [kids] = (await meta.call('GET', 'tables?search=KIDS&included_schemas=public'))
    .body as Table[]
  if (!kids) throw new Error('kids is missing')
  expect(column(kids, 'p')).toMatchObject({ format: 'text', is_nullable: false })
  expect(column(kids, 'q')).toMatchObject({ data_type: 'USER-DEFINED', format: 'pair' })
  expect(column(kids, 'twice')).toMatchObject({ is_generated: true })
  const pairs = kids.relationships.map((r) => [
    r.constraint_name,
    r.source_column_name,
    r.target_column_name,
  ])
  expect(pairs).toEqual([
    ['kids_parent', 'pb', 'b'],
    ['kids_parent', 'pa', 'a'],
  ])
  expect(await meta.call('GET', `entities/${kids.id}`)).toMatchObject({
    body: {
      foreign_keys: [
        {
          columns: ['pb', 'pa'],
          target_columns: ['b', 'a'],
          target_table: 'parents',
          on_delete: 'Cascade',
        },
      ],
    },
  })
})

test('types, policies and the list of everything with rows', async () => {
  await meta.sql(`
    create table secured (id int primary key); alter table secured enable row level security;
    create policy mine on secured for select to authenticated using (id > 0);
    create view seen as select * from secured; create materialized view kept as select 1 as one`)
  const types = (await meta.call('GET', 'types?included_schemas=public')).body as { name: string }[]
  expect(types).toContainEqual(
    expect.objectContaining({ name: 'mood', enums: ['sad', 'happy'], format: 'mood' }),
  )
  expect(types).toContainEqual(
    expect.objectContaining({
      name: 'pair',
      attributes: [expect.objectContaining({ name: 'a' }), expect.objectContaining({ name: 'b' })],
    }),
  )
  const policies = (await meta.call('GET', 'policies?included_schemas=public')).body
  expect(policies).toMatchObject([
    {
      name: 'mine',
      command: 'SELECT',
      roles: ['authenticated'],
      definition: '(id > 0)',
      check: null,
    },
  ])
  const { body } = await meta.call('GET', 'entities?schema=public&search=SE')
  expect(body).toMatchObject({
    total: 2,
    entities: [
      { name: 'secured', kind: 'table', rls_enabled: true },
      { name: 'seen', kind: 'view', rows_estimate: null },
    ],
  })
  const { body: paged } = await meta.call('GET', 'entities?schema=public&limit=2&offset=1')
  expect((paged as { entities: unknown[] }).entities).toHaveLength(2)
  expect((paged as { total: number }).total).toBeGreaterThan(5)
})
