import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`
    create table "odd ""name" (v int, "na ""me" text);
    insert into "odd ""name" select n, 'row ' || n from generate_series(1, 20) n;
    create view seen as select * from "odd ""name";
    create table parent (id int primary key);
    create table child (id int references parent);
    insert into parent values (1), (2);
    insert into child values (2)`)
})
afterAll(() => meta.close())

async function remove(name: string, input: object, login?: 'plinth_read_only') {
  const [row] = await meta.sql(`select to_regclass('${name}')::oid::int as id`)
  return meta.call('POST', `entities/${Number(row?.id)}/remove`, input, login)
}
const odd = '"odd ""name"'
const left = async (name: string) =>
  Number((await meta.sql(`select count(*)::int as n from ${name}`))[0]?.n)
const below = (value: string) => [{ column: 'v', operator: '<', value }]

test.each([
  ['rows of a view', 'seen', { filters: [], max: 20 }, 400],
  [
    'an unknown column',
    odd,
    { filters: [{ column: 'no', operator: '=', value: '1' }], max: 20 },
    400,
  ],
  ['no number of rows', odd, { filters: [] }, 400],
  ['a table that is gone', 'no_such', { filters: [], max: 1 }, 404],
  ['rows that others need', 'parent', { filters: [], max: 2 }, 400],
  ['more rows than were spoken of', odd, { filters: below('11'), max: 9 }, 409],
])('%s are not deleted', async (_, name, input, status) => {
  expect(await remove(name, input)).toMatchObject({ status })
  expect([await left(odd), await left('parent')]).toEqual([20, 2])
})

test('who may only read deletes nothing', async () => {
  const refused = await remove(odd, { filters: [], max: 20 }, 'plinth_read_only')
  expect(refused).toMatchObject({ status: 400, body: { code: '25006' } })
  expect(await left(odd)).toBe(20)
})

test('the rows of a filter go and no others, also without a primary key', async () => {
  const filters = [...below('4'), { column: 'na "me', operator: '=', value: 'row 20', or: true }]
  expect(await remove(odd, { filters, max: 4 })).toMatchObject({ body: { removed: 4 } })
  expect(await meta.sql(`select min(v), max(v), count(*)::int as n from ${odd}`)).toEqual([
    { min: 4, max: 19, n: 16 },
  ])
  expect(await remove(odd, { filters: [], max: 100 })).toMatchObject({ body: { removed: 16 } })
})
