import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EntityDetail } from '#contract/database/pg-meta-shapes'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'
import { lookupSql } from './row-lookup.ts'

type Found = {
  rows: { value: string; also: (string | null)[]; words: (string | null)[] }[]
  next: string | null
  only_beginnings: boolean
}

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`
    create table small (id int primary key, "na ""me" text, note text);
    insert into small select n, 'Author ' || n, 'the ' || n || '0th of them' from generate_series(1, 120) n;
    create unlogged table large (id int8 primary key, plain text, name text);
    insert into large select n, 'p' || n, 'Name ' || n from generate_series(1, 1000000) n;
    create index on large (name); analyze large;
    create table fairly (id int primary key, name text);
    insert into fairly select n, 'Name ' || n from generate_series(1, 60000) n; analyze fairly;
    create view slow as select n as id, (select pg_sleep(5))::text as t from generate_series(1, 100000) n;
    create table places (shelf int, spot int, primary key (shelf, spot));
    insert into places select a, b from generate_series(1, 3) a, generate_series(9, 11) b;
    create table seats (hall int, seat int, unique (hall, seat));
    insert into seats select a, b from generate_series(1, 4) a, unnest(array[1, null]) b;
    create table by_uuid (id uuid primary key);
    insert into by_uuid values ('0ab10000-0000-0000-0000-000000000000'), ('1ab10000-0000-0000-0000-000000000000')`)
})
afterAll(() => meta.close())

async function idOf(name: string): Promise<number> {
  const [row] = await meta.sql(`select to_regclass('${name}')::oid::int as id`)
  return Number(row?.id)
}
const ask = async (name: string, input: object, login?: 'plinth_read_only') =>
  meta.call('POST', `entities/${await idOf(name)}/lookup`, { column: 'id', ...input }, login)
async function find(name: string, input: object): Promise<Found> {
  const { status, body } = await ask(name, input)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as Found
}
/** Each row's key, and what stands beside it, of every page. */
async function allPages(name: string, input: object): Promise<(string | null)[][]> {
  const found: (string | null)[][] = []
  let after: string | null | undefined
  do {
    const page = await find(name, { ...input, after })
    found.push(...page.rows.map(({ value, also }) => [value, ...also]))
    after = page.next ?? undefined
  } while (after !== undefined)
  return found
}
const valuesOf = ({ rows }: Found) => rows.map(({ value }) => value)

test.each([
  ['an unknown column', 'small', { column: 'no' }, 400],
  ['a place of another list', 'small', { after: 'x1' }, 400],
  ['a place that the type refuses', 'small', { after: 'ex' }, 400],
  ['too many rows', 'small', { limit: 101 }, 400],
  ['a table that is gone', 'no_such', {}, 404],
])('%s is refused', async (_, name, input, status) => {
  expect(await ask(name, input)).toMatchObject({ status })
})

test('rows come in the order of the key, part by part, with words that tell them apart', async () => {
  const first = await find('small', { limit: 50 })
  expect(first.rows[0]).toEqual({ value: '1', also: [], words: ['Author 1', 'the 10th of them'] })
  const second = await find('small', { limit: 50, after: first.next })
  const third = await find('small', { limit: 50, after: second.next })
  expect([...valuesOf(first), ...valuesOf(second), ...valuesOf(third)]).toEqual(
    Array.from({ length: 120 }, (_, at) => String(at + 1)),
  )
  expect(third.next).toBeNull()
  expect(await ask('small', {}, 'plinth_read_only')).toMatchObject({ status: 200 })
})

test('a key of several columns is found as a whole, page by page', async () => {
  const pairs = [1, 2, 3].flatMap((shelf) =>
    [9, 10, 11].map((spot) => [String(shelf), String(spot)]),
  )
  const found = await allPages('places', { column: 'shelf', also: ['spot'], limit: 2 })
  expect(found).toEqual(pairs)
  expect(await ask('places', { column: 'shelf', also: ['no'] })).toMatchObject({ status: 400 })
  const place = (await find('places', { column: 'shelf', limit: 1 })).next
  expect(await ask('places', { column: 'shelf', also: ['spot'], after: place })).toMatchObject({
    status: 400,
  })
})

test('what a key cannot lead to is on no page', async () => {
  const found = await allPages('seats', { column: 'hall', also: ['seat'], limit: 2 })
  expect(found).toEqual([
    ['1', '1'],
    ['2', '1'],
    ['3', '1'],
    ['4', '1'],
  ])
})

test('a small table is searched everywhere, and signs of patterns are only signs', async () => {
  expect(valuesOf(await find('small', { search: '11' }))).toEqual([
    '11',
    ...Array.from({ length: 10 }, (_, at) => String(110 + at)),
  ])
  expect(valuesOf(await find('small', { search: 'HOR 11', limit: 2 }))).toEqual(['11', '110'])
  expect(valuesOf(await find('small', { search: '%' }))).toEqual([])
  expect(valuesOf(await find('by_uuid', { search: '0AB1' }))).toEqual([
    '0ab10000-0000-0000-0000-000000000000',
  ])
})

test('of a million rows only beginnings are looked for, page by page, and no search reads the table', async () => {
  const first = await find('large', { search: '12345' })
  expect(first).toMatchObject({ only_beginnings: true, next: null })
  expect(valuesOf(first)).toEqual([
    '12345',
    ...Array.from({ length: 10 }, (_, at) => String(123450 + at)),
  ])
  expect(valuesOf(await find('large', { search: 'name 99999' }))).toEqual([
    '99999',
    ...Array.from({ length: 10 }, (_, at) => String(999990 + at)),
  ])
  const page = await find('large', { search: '7', limit: 2 })
  expect(valuesOf(page)).toEqual(['7', '70'])
  expect(valuesOf(await find('large', { search: '7', limit: 2, after: page.next }))).toEqual([
    '71',
    '72',
  ])
  const detail = (await meta.call('GET', `entities/${await idOf('large')}`)).body as EntityDetail
  const [key, , name] = detail.columns
  if (!key || !name) throw new Error('The table has lost its columns')
  for (const search of ['1', '12345', 'Name 5', 'zz']) {
    const query = { column: 'id', also: [], search, limit: 20, after: undefined }
    const at = {
      entity: detail,
      key,
      also: [],
      words: [name],
      indexed: [name],
      query,
      from: undefined,
    }
    const { sql, values } = lookupSql(at, false)
    const quoted = values.map((value) => `'${value}'`)
    const plain = sql.replace(/\$(\d+)/g, (_, place) => quoted[Number(place) - 1] ?? '')
    const plan = JSON.stringify(await meta.sql(`explain (costs off) ${plain}`))
    expect(plan, search).not.toContain('Seq Scan')
  }
})

test('what begins nowhere is still found further inside, when that does not take too long', async () => {
  const found = await find('fairly', { search: 'ame 54321' })
  expect(found).toMatchObject({ rows: [{ value: '54321' }], only_beginnings: false })
})

test('a search that takes too long says so, or answers what it has', async () => {
  expect(await find('slow', { search: 'x' })).toEqual({
    rows: [],
    next: null,
    only_beginnings: true,
  })
  const late = await ask('slow', { search: '1' })
  expect(late).toMatchObject({ status: 408 })
  expect(JSON.stringify(late.body)).toContain('slow is too large to be searched')
})
