import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Overview } from '#contract/projects/project-overview'
import { withClient } from '#kit/postgres/client'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

async function overview(login?: 'plinth_read_only'): Promise<Overview> {
  const { status, body } = await meta.call('GET', 'overview', undefined, login)
  expect([status, body]).toEqual([200, expect.anything()])
  return body as Overview
}
const functions = (query: string) => meta.call('GET', `api-functions?${query}`)

test('a schema, a limit and an offset that are none are refused', async () => {
  for (const query of [
    '',
    'schema=public&limit=0',
    'schema=public&limit=501',
    'schema=public&offset=-1',
  ])
    expect([query, (await functions(query)).status]).toEqual([query, 400])
  expect((await functions(`schema=${'x'.repeat(64)}`)).status).toBe(400)
  expect(await functions('schema=nowhere')).toEqual({
    status: 200,
    body: { functions: [], total: 0 },
  })
})

test('a project fills up: its first table, its first row, its first policy', async () => {
  expect(await overview()).toMatchObject({ tables: 0, has_rows: false, policies: 0 })
  await meta.sql('create table "näh "" maschine" (id int primary key, who text)')
  expect(await overview()).toMatchObject({ tables: 1, has_rows: false, policies: 0 })
  await meta.sql(`insert into "näh "" maschine" values (1, 'Ada')`)
  expect(await overview()).toMatchObject({ tables: 1, has_rows: true, policies: 0 })
  await meta.sql('create policy everybody on "näh "" maschine" for select using (true)')
  expect(await overview()).toMatchObject({ tables: 1, has_rows: true, policies: 1 })
})

test('partitions are one table, and their rows count', async () => {
  const before = (await overview()).tables
  await meta.sql(`create table parts (at int) partition by range (at);
    create table parts_1 partition of parts for values from (0) to (10)`)
  expect((await overview()).tables).toBe(before + 1)
})

test('size, connections and the time of the last start are those of the server', async () => {
  const found = await overview()
  const [own] = await meta.sql(`select pg_database_size(current_database())::float8 as bytes,
    current_setting('max_connections')::int as most, pg_postmaster_start_time() as started`)
  expect(found.max_connections).toBe(own?.['most'])
  expect(found.connections).toBeGreaterThan(0)
  expect(Math.abs(found.bytes - Number(own?.['bytes']))).toBeLessThan(10_000_000)
  const seconds = (Date.parse(found.started_at) - Number(own?.['started'])) / 1000
  expect(Math.abs(seconds)).toBeLessThan(2)
})

test('who may only read sees the same facts', async () => {
  const { tables, policies } = await overview()
  expect(await overview('plinth_read_only')).toMatchObject({ tables, policies, has_rows: true })
})

test('slow statements, or nothing where they are not counted', async () => {
  const { statements } = await overview()
  const [installed] = await meta.sql(
    "select count(*)::int as n from pg_extension where extname = 'pg_stat_statements'",
  )
  if (installed?.['n'] === 0) {
    expect(statements).toBeNull()
    return
  }
  for (let time = 0; time < 3; time += 1)
    await meta.sql('select pg_sleep(0.1) from generate_series(1, 1)')
  const found = (await overview()).statements ?? []
  const counted = found.find(({ query }) => query.includes('pg_sleep'))
  expect(counted?.calls).toBe(3)
  expect(found.every(({ query }) => !query.includes('pg_class'))).toBe(true)
  const shares = found.map(({ share }) => share)
  expect(shares).toEqual(shares.toSorted((a, b) => b - a))
  expect(shares.every((share) => share >= 0 && share <= 1)).toBe(true)
  await withClient(meta.db.adminConfig, (client) =>
    client.query('drop extension pg_stat_statements'),
  )
  expect((await overview()).statements).toBeNull()
})

test('functions as a client calls them', async () => {
  await meta.sql(`
    create function add_up(a int, b int default 1) returns int language sql immutable as 'select a + b';
    comment on function add_up is 'Adds, it''s that simple';
    create function "sélect ""me"""("the name" text) returns setof parts language sql stable as 'select * from parts';
    create function unnamed(int) returns int language sql as 'select $1';
    create function out_too(a int, out x int, out y text) language sql as 'select a, a::text';
    create function fires() returns trigger language plpgsql as 'begin return new; end';
    create procedure does() language sql as 'select 1'`)
  const { body } = await functions('schema=public')
  expect(body).toMatchObject({
    total: 3,
    functions: [
      {
        name: 'add_up',
        comment: "Adds, it's that simple",
        args: [
          { name: 'a', type: 'integer', optional: false },
          { name: 'b', type: 'integer', optional: true },
        ],
        returns: 'integer',
        returns_set: false,
        volatility: 'IMMUTABLE',
      },
      {
        name: 'out_too',
        args: [{ name: 'a', type: 'integer', optional: false }],
        returns: 'record',
      },
      {
        name: 'sélect "me"',
        args: [{ name: 'the name', type: 'text', optional: false }],
        returns: 'SETOF parts',
        returns_set: true,
        volatility: 'STABLE',
      },
    ],
  })
  expect((await functions('schema=public&search=ADD')).body).toMatchObject({
    total: 1,
    functions: [{ name: 'add_up' }],
  })
  const { functions: all } = body as { functions: { id: number; name: string }[] }
  const id = all.find(({ name }) => name === 'add_up')?.id
  expect((await functions(`schema=public&id=${id}`)).body).toMatchObject({
    total: 1,
    functions: [{ name: 'add_up' }],
  })
  expect((await functions('schema=public&limit=1&offset=1')).body).toMatchObject({
    total: 3,
    functions: [{ name: 'out_too' }],
  })
})
