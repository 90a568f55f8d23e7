import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Table } from '#contract/database/pg-meta-shapes'
import type { SqlRelation } from '#contract/database/sql/sql-tools'
import type { ListedTable } from '#contract/database/table-shapes'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

/** What is looked up for a whole page at once, in a schema of more tables than are measured one by one. */
let meta: Meta
const max = 501
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`
    create schema crowd; create schema few;
    do $$ begin for n in 1..${max} loop
      execute format('create table crowd.t%s (id int primary key, parent int references crowd.t%s (id))', n, greatest(n - 1, 1));
    end loop; end $$;
    insert into crowd.t7 (id) select generate_series(1, 1000); analyze crowd.t7;
    comment on table crowd.t7 is 'seven'; create view crowd.z as select id as "an Id" from crowd.t7;
    create table few.t (id int primary key); insert into few.t values (1);
    alter publication supabase_realtime add table crowd.t7`)
})
afterAll(() => meta.close())

const get = async <T>(path: string) => {
  const { status, body } = await meta.call('GET', path)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as T
}

test('a crowd is listed with the sizes that were last seen, a few with those of now', async () => {
  const crowd = await get<ListedTable[]>('table-list?schema=crowd')
  expect(crowd).toHaveLength(max + 1)
  const seven = crowd.find(({ name }) => name === 't7')
  expect(seven).toMatchObject({ kind: 'table', columns: 2, comment: 'seven', realtime: true })
  expect(seven?.bytes).toBeGreaterThanOrEqual(5 * 8192)
  expect(crowd.filter(({ realtime }) => realtime)).toHaveLength(1)
  expect(crowd.at(-1)).toMatchObject({ name: 'z', kind: 'view', bytes: 0, rows_estimate: null })
  const [one] = await get<ListedTable[]>('table-list?schema=few')
  const [size] = await meta.sql("select pg_total_relation_size('few.t')::int as bytes")
  expect(one).toMatchObject({ name: 't', bytes: size?.['bytes'] })
})

test('a page of tables has the keys that lead out of it and into it, each once', async () => {
  const tables = await get<Table[]>('tables?included_schemas=crowd&search=t7&limit=1&offset=0')
  const [t7] = tables
  expect(t7?.name).toBe('t7')
  const ends = t7?.relationships.map((one) => [one.source_table_name, one.target_table_name])
  expect(ends).toEqual([
    ['t7', 't6'],
    ['t8', 't7'],
  ])
  const [first] = await get<Table[]>('tables?included_schemas=crowd&limit=1')
  expect(first?.relationships.map((one) => [one.source_table_name, one.target_table_name])).toEqual(
    [
      ['t1', 't1'],
      ['t2', 't1'],
    ],
  )
})

test('entities after others are the same as in one long list', async () => {
  const page = (limit: number, offset: number) =>
    get<{ entities: unknown[]; total: number }>(
      `entities?schema=crowd&limit=${limit}&offset=${offset}&sort=kind`,
    )
  const whole = await page(500, 0)
  expect(whole.total).toBe(max + 1)
  expect((await page(3, 300)).entities).toEqual(whole.entities.slice(300, 303))
  expect((await page(10, max)).entities).toMatchObject([{ name: 'z', kind: 'view' }])
})

test('completion knows every table with its columns, and who may see nothing learns nothing', async () => {
  const all = await get<SqlRelation[]>('query/relations')
  expect(all.filter(({ schema }) => schema === 'crowd')).toHaveLength(max + 1)
  expect(all).toContainEqual({ schema: 'crowd', name: 'z', columns: ['an Id'], types: ['int4'] })
  expect(all).toContainEqual({
    schema: 'crowd',
    name: 't7',
    columns: ['id', 'parent'],
    types: ['int4', 'int4'],
  })
  expect(all.some(({ schema }) => schema === 'pg_catalog')).toBe(false)
})
