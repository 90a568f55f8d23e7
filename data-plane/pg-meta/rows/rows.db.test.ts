import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import type { Cell, RowChange, RowConflicts } from '#contract/database/rows/table-rows'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

type Page = { columns: string[]; rows: Cell[][]; next: string | null; previous: string | null }

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`
    create type size as enum ('small', 'large');
    create domain short as varchar(5);
    create table kinds (
      a int8, "b ""c" text, n numeric(10, 2), at timestamptz, j json, jb jsonb, l text[], s size, d short, yes bool, p point,
      ip inet, x bytea, twice int8 generated always as (a * 2) stored, c char(4), primary key (a, "b ""c")
    );
    insert into kinds (a, "b ""c") select i, 'row ' || i from generate_series(1, 25) i;
    create table keyless (v int); insert into keyless select i from generate_series(1, 25) i;
    create view seen as select a, s from kinds;
    create table big (id int primary key, t text, j jsonb);
    insert into big select i, repeat('é', 20000), jsonb_build_object('k', repeat('x', 20000)) from generate_series(1, 2) i;
    create table many (id int); insert into many select i from generate_series(1, 60000) i; analyze many`)
})
afterAll(() => meta.close())

async function idOf(name: string): Promise<number> {
  const [row] = await meta.sql(`select to_regclass('${name}')::oid::int as id`)
  return Number(row?.id)
}
async function list(name: string, input: object = {}) {
  const { status, body } = await meta.call('POST', `entities/${await idOf(name)}/rows`, input)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Page
}
const apply = async (name: string, changes: object[], login?: 'plinth_read_only') =>
  meta.call('POST', `entities/${await idOf(name)}/apply`, { changes }, login)
const update = (key: object, set: object) => ({ kind: 'update', key, set })

test.each<[string, string, object, number]>([
  [
    'an unknown column in a filter',
    'rows',
    { filters: [{ column: 'no', operator: '=', value: '1' }] },
    400,
  ],
  [
    'an unknown operator',
    'rows',
    { filters: [{ column: 'a', operator: '; drop', value: '1' }] },
    400,
  ],
  [
    'a value that the type refuses',
    'rows',
    { filters: [{ column: 'a', operator: '=', value: 'x' }] },
    400,
  ],
  [
    'is with more than a keyword',
    'rows',
    { filters: [{ column: 'a', operator: 'is', value: 'null or true' }] },
    400,
  ],
  ['an unknown column in the order', 'rows', { sort: [{ column: 'no', direction: 'asc' }] }, 400],
  ['an order that the type has not', 'rows', { sort: [{ column: 'p', direction: 'asc' }] }, 400],
  ['a cursor of somebody else', 'rows', { cursor: 'x' }, 400],
  [
    'a cursor of a view',
    'rows',
    { cursor: Buffer.from('{"offset":1}').toString('base64url') },
    400,
  ],
  [
    'a cursor with other keys',
    'rows',
    { cursor: Buffer.from('{"back":false,"keys":["1"]}').toString('base64url') },
    400,
  ],
  ['a page without rows', 'rows', { limit: 0 }, 400],
  ['a NUL in a value', 'rows', { filters: [{ column: 'b "c', operator: '=', value: 'a\0' }] }, 400],
  ['half a key', 'value', { key: { a: '1' }, column: 'at' }, 400],
  ['a row that is gone', 'value', { key: { a: '999', 'b "c': 'x' }, column: 'at' }, 404],
  ['no changes', 'apply', { changes: [] }, 400],
  ['a change without a set', 'apply', { changes: [update({ a: '1', 'b "c': 'row 1' }, {})] }, 400],
])('%s is refused', async (_, path, body, status) => {
  const answer = await meta.call('POST', `entities/${await idOf('kinds')}/${path}`, body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status })
})

test('a detail says what can be edited, and why not', async () => {
  const detail = async (name: string) =>
    (await meta.call('GET', `entities/${await idOf(name)}`)).body as EntityDetail
  expect(await detail('kinds')).toMatchObject({
    kind: 'table',
    primary_key: ['a', 'b "c'],
    read_only_because: null,
  })
  const types = (await detail('kinds')).columns.map(({ name, type }) => `${name} ${type}`)
  // Of a domain, what it is made of.
  expect(types).toEqual(
    expect.arrayContaining(['n numeric(10,2)', 'd character varying(5)', 'l text[]', 's size']),
  )
  expect(await detail('keyless')).toMatchObject({
    read_only_because: null,
    fixed_rows_because: expect.stringContaining('no primary key'),
  })
  expect(await detail('seen')).toMatchObject({
    read_only_because: null,
    fixed_rows_because: expect.stringContaining('the primary key of public.kinds (a, b "c)'),
  })
})

test.each<[string, string, string, number]>([
  ['a', '=', '3', 1],
  ['a', '<>', '3', 24],
  ['a', '>=', '20', 6],
  ['b "c', '~~', 'row 1%', 11],
  ['b "c', '~~*', 'ROW 2_', 6],
  ['a', '~~', '%5', 3],
  ['a', 'in', '1, 2,3', 3],
  ['b "c', 'in', '"row 1", row 2, "x,""y"', 2],
  ['a', 'in', '', 0],
  ['at', 'is', 'null', 25],
  ['at', 'is', 'not null', 0],
  ['yes', 'is', 'true', 0],
  ['j', '=', '{}', 0],
  ['p', '=', '(1,2)', 0],
  ['s', '=', 'small', 0],
  ['b "c', '=', "'; drop table kinds; --", 0],
])('filter %s %s %s finds %i', async (column, operator, value, count) => {
  const filters = [{ column, operator, value }]
  expect((await list('kinds', { filters })).rows).toHaveLength(count)
  expect(
    await meta.call('POST', `entities/${await idOf('kinds')}/count`, { filters }),
  ).toMatchObject({ body: { count, is_estimate: false } })
})

test('large tables are counted exactly only on demand', async () => {
  const count = async (body: object) =>
    (await meta.call('POST', `entities/${await idOf('many')}/count`, body)).body
  expect(await count({})).toEqual({ count: 60_000, is_estimate: true })
  expect(await count({ exact: true })).toEqual({ count: 60_000, is_estimate: false })
  expect(await count({ filters: [{ column: 'id', operator: '<', value: '100' }] })).toMatchObject({
    is_estimate: true,
  })
})

test('large values are cut in lists and whole on demand', async () => {
  const { rows } = await list('big')
  expect(rows[0]).toEqual([
    '1',
    { head: 'é'.repeat(10_240) },
    { head: `{"k": "${'x'.repeat(10_233)}` },
  ])
  const { body } = await meta.call('POST', `entities/${await idOf('big')}/value`, {
    key: { id: '1' },
    column: 't',
  })
  expect(body).toEqual({ value: 'é'.repeat(20_000) })
  const seen = { head: 'é'.repeat(10_240) }
  expect(
    await apply('big', [update({ id: '1' }, { t: { from: seen, to: 'small' } })]),
  ).toMatchObject({ status: 200 })
  expect(
    await apply('big', [update({ id: '2' }, { t: { from: { head: 'other' }, to: 'small' } })]),
  ).toMatchObject({ status: 409 })
})

test('every kind of value comes back as it went in', async () => {
  const given = {
    a: '9007199254740993',
    'b "c': '\'";--\\ \u{1f600}',
    n: '1.10',
    at: '2026-01-01 10:00:00.123456+00',
    j: '{"a":  1.0}',
    jb: '{"a": 1.0}',
    l: '{"a,b",NULL,"c\\"d"}',
    s: 'large',
    d: 'abc',
    yes: 't',
    p: '(1,2)',
    ip: '10.0.0.1',
    x: '\\x00ff',
    c: 'ab  ',
  }
  const { status, body } = await apply('kinds', [{ kind: 'insert', values: given }])
  expect(status, JSON.stringify(body)).toBe(200)
  const { columns, rows } = body as { columns: string[]; rows: Cell[][] }
  const row = Object.fromEntries(columns.map((name, i) => [name, rows[0]?.[i]]))
  expect(row).toEqual({ ...given, twice: '18014398509481986' })
  const key = { a: given.a, 'b "c': given['b "c'] }
  for (const [name, value] of Object.entries(given)) {
    const same = await apply('kinds', [update(key, { [name]: { from: value, to: value } })])
    expect(same, `${name} ${JSON.stringify(same.body)}`).toMatchObject({ status: 200 })
  }
  expect(
    await apply('kinds', [update(key, { at: { to: null }, s: { from: 'large', to: 'small' } })]),
  ).toMatchObject({ status: 200 })
  expect(await apply('kinds', [update(key, { at: { from: '', to: null } })])).toMatchObject({
    status: 409,
  })
  expect(await apply('kinds', [{ kind: 'delete', key }])).toMatchObject({ body: { rows: [null] } })
})

test('a composite value is what it was, whatever of its fields is NULL', async () => {
  await meta.sql(`
    create type part as (a text, b int);
    create table parts (id int primary key, part part, other int);
    insert into parts values (1, row('x', null), 0), (2, row(null, null), 0), (3, null, 0)`)
  const key = (id: number) => ({ id: String(id) })
  const change = (id: number, from: string | null, to: string | null) =>
    apply('parts', [update(key(id), { part: { from, to } })])
  expect(await change(1, '(,)', '(y,)')).toMatchObject({ status: 409 })
  expect(await change(2, null, '(y,)')).toMatchObject({ status: 409 })
  expect(await change(3, '(,)', '(y,)')).toMatchObject({ status: 409 })
  expect(await change(1, '(x,)', '(x,1)')).toMatchObject({ status: 200 })
  expect(await change(2, '(,)', null)).toMatchObject({ status: 200 })
  expect(await change(3, null, '(,)')).toMatchObject({ status: 200 })
  expect((await list('parts')).rows.map(([, part]) => part)).toEqual(['(x,1)', null, '(,)'])
  const gone = { kind: 'delete', key: key(3), from: { part: '(,)' } }
  expect(await apply('parts', [gone])).toMatchObject({ status: 200 })
})

test('a changed row is a conflict, a missing one too, and then nothing happens', async () => {
  await meta.sql(
    "create table shop (id int primary key, name text, n int default 7); insert into shop values (1, 'a', 1), (2, 'b', 2)",
  )
  const changes: RowChange[] = [
    { kind: 'insert', values: { id: '3', n: { default: true } } },
    { kind: 'update', key: { id: '1' }, set: { name: { from: 'stale', to: 'mine' } } },
    { kind: 'update', key: { id: '9' }, set: { name: { from: 'a', to: 'mine' } } },
    { kind: 'delete', key: { id: '2' } },
  ]
  const { status, body } = await apply('shop', changes)
  expect(status).toBe(409)
  expect((body as RowConflicts).conflicts).toEqual([
    { change: 1, row: ['1', 'a', '1'] },
    { change: 2, row: null },
  ])
  expect(await meta.sql('select count(*)::int as n from shop')).toEqual([{ n: 2 }])
  const good = changes.filter((change) => change.kind !== 'update')
  expect(await apply('shop', good)).toMatchObject({
    status: 200,
    body: { rows: [['3', null, '7'], null] },
  })
})

test('a change that Postgres refuses names itself and undoes the others', async () => {
  await meta.sql(`create table kept ("the n" int primary key);
    create table refused (id int primary key, n int check (n > 0), "a ""b" text not null default '', d date,
      "the n" int references kept, s varchar(3))`)
  const changes = [
    { kind: 'insert', values: { id: '1', n: '1' } },
    { kind: 'insert', values: { id: '2', n: '-1' } },
  ]
  expect(await apply('refused', changes)).toMatchObject({
    status: 400,
    body: { code: '23514', change: 1, constraint: 'refused_n_check', columns: ['n'] },
  })
  expect(await meta.sql('select * from refused')).toEqual([])
  expect(await apply('refused', changes.slice(0, 1), 'plinth_read_only')).toMatchObject({
    status: 400,
    body: { code: '25006' },
  })
})

test('a refused change names its columns, with what Postgres says beside', async () => {
  await meta.sql(`insert into refused (id) values (10), (11)`)
  const key = { id: '10' }
  const why = async (change: object) => (await apply('refused', [change])).body
  expect(await why(update(key, { n: { to: '1' }, 'a "b': { to: null } }))).toMatchObject({
    columns: ['a "b'],
    detail: expect.stringContaining('Failing row contains'),
  })
  expect(await why(update(key, { n: { to: '1' }, id: { to: '11' } }))).toMatchObject({
    columns: ['id'],
    detail: 'Key (id)=(11) already exists.',
  })
  expect(await why(update(key, { n: { to: '1' }, 'the n': { to: '5' } }))).toMatchObject({
    columns: ['the n'],
    detail: 'Key (the n)=(5) is not present in table "kept".',
  })
  const unread = { kind: 'insert', values: { id: { default: true }, n: '1', d: 'no day' } }
  expect(await why(unread)).toMatchObject({ code: '22007', columns: ['d'] })
  const second = { s: { from: null, to: 'a' }, d: { from: null, to: 'no day' } }
  expect(await why(update(key, second))).toMatchObject({ code: '22007', columns: ['d'] })
  expect(await why(update(key, { s: { to: 'long' } }))).toMatchObject({ columns: ['s'] })
  // Postgres does not say which.
  expect(await why(update(key, { s: { to: 'long' }, n: { to: '1' } }))).toMatchObject({
    columns: [],
  })
  await meta.sql(`create function hinted() returns trigger language plpgsql as $$ begin
      raise exception 'not so' using detail = 'why', hint = 'do otherwise', column = 'n'; end $$;
    create trigger hinted before delete on refused for each row execute function hinted()`)
  expect(await why({ kind: 'delete', key })).toMatchObject({
    message: 'not so',
    detail: 'why',
    hint: 'do otherwise',
    columns: ['n'],
  })
})

test('names with anything in them are only names', async () => {
  const odd = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(odd, odd, odd, async (table, column, value) => {
      const columns = [
        { name: 'id', type: 'int4', is_primary_key: true },
        { name: `c${column}`, type: 'text' },
      ]
      const made = (await meta.call('POST', 'tables', { name: `t${table}`, columns })).body as {
        id: number
      }
      const change = { kind: 'insert', values: { id: '1', [`c${column}`]: value } }
      const inserted = await meta.call('POST', `entities/${made.id}/apply`, { changes: [change] })
      expect(inserted.body).toMatchObject({ rows: [['1', value]] })
      const filters = [{ column: `c${column}`, operator: '=', value }]
      const found = await meta.call('POST', `entities/${made.id}/rows`, {
        filters,
        sort: [{ column: `c${column}`, direction: 'desc' }],
      })
      expect(found.body).toMatchObject({ rows: [['1', value]] })
      await meta.call('DELETE', `tables/${made.id}`)
    }),
    { numRuns: 25 },
  )
})
