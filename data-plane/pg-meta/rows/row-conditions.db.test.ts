import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Cell } from '#contract/database/rows/table-rows'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

/** Conditions in SQL are text of the caller's own: they stay where they are put, and run as who asks. */
let meta: Meta
let id: number
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`
    create table things (id int primary key, t text, n int, jb jsonb);
    insert into things values (1, 'a', 9, '{"q": true}'), (2, 'b)', 10, null), (3, '', 11, null), (4, null, null, null);
    create function wipe() returns boolean language sql as 'delete from things returning true';
    grant select on things to plinth_read_only, authenticated`)
  const [row] = await meta.sql("select 'things'::regclass::oid::int as id")
  id = Number(row?.id)
})
afterAll(() => meta.close())

type Login = 'postgres' | 'plinth_read_only'
const ask = (filters: object[], more: object = {}, path = 'rows', login: Login = 'postgres') =>
  meta.call('POST', `entities/${id}/${path}`, { filters, ...more }, login)
async function found(filters: object[], more: object = {}, login: Login = 'postgres') {
  const { status, body } = await ask(filters, more, 'rows', login)
  expect(status, JSON.stringify(body)).toBe(200)
  return (body as { rows: Cell[][] }).rows.map(([first]) => Number(first))
}
const everywhere = [
  ['rows', {}],
  ['count', { exact: true }],
  ['export', { format: 'json' }],
  ['remove', { max: 9 }],
] as const
const all = () => meta.sql('select count(*)::int as n from things')

test.each([
  '',
  '  ',
  '-- nothing',
  'true) or (true',
  'true) or true --',
  "true) or ('' = '",
  '1; drop table things',
  'true; drop table things',
  'true) limit 1 --',
  'true) union (select 1',
  'true /*',
  "'open",
  'id = $1',
  'true, true',
  'true as x',
  'delete from things',
  'with gone as (delete from things returning 1) select true from gone',
  'exists (with gone as (delete from things returning 1) select from gone)',
  'true\0',
])('the condition %j is refused and nothing happens', async (condition) => {
  const filters = [
    { column: 'id', operator: '=', value: '1' },
    { condition },
    { column: 'id', operator: '=', value: '2' },
  ]
  for (const [path, more] of everywhere) {
    expect(await ask(filters, more, path)).toMatchObject({ status: 400 })
  }
  expect(await all()).toEqual([{ n: 4 }])
})

test.each<[string, number[]]>([
  ['n > 9', [2, 3]],
  ['n > 9 -- the dear ones', [2, 3]],
  ['n > 9 /* the dear ones */', [2, 3]],
  ['id = 1 or id = 4', [1, 4]],
  ["t like '%)%' or id = 3", [2, 3]],
  ['exists (select from things other where other.n = things.n + 1)', [1, 2]],
  ['n = (select max(n) from things)', [3]],
  ["jb->>'q' = 'true'", [1]],
  ['select things.n > 10', [3]],
])('the condition %s finds %j', async (condition, ids) => {
  expect(await found([{ condition }])).toEqual(ids)
  const few = ids.filter((one) => one < 3)
  const narrowed = [{ column: 'id', operator: '<', value: '3' }, { condition }]
  expect(await found(narrowed)).toEqual(few)
  const count = { count: few.length, is_estimate: false }
  expect(await ask(narrowed, {}, 'count')).toMatchObject({ body: count })
  expect((await ask(narrowed, { format: 'json' }, 'export')).body).toHaveLength(few.length)
})

test('where rows are looked at a condition writes nothing', async () => {
  for (const [path, more] of everywhere.slice(0, 3)) {
    const refused = await ask([{ condition: 'wipe()' }], more, path)
    expect(refused).toMatchObject({ status: 400, body: { code: '25006' } })
  }
  const writable = "set_config('transaction_read_only', 'off', true) = 'off'"
  expect(await ask([{ condition: writable }])).toMatchObject({ body: { code: '25001' } })
  expect(await all()).toEqual([{ n: 4 }])
})

test('a condition leaves nothing behind in a session', async () => {
  for (const [setting, value] of [
    ['role', 'authenticated'],
    ['search_path', 'nowhere'],
    ['default_transaction_read_only', 'on'],
  ]) {
    const filters = [{ condition: `set_config('${setting}', '${value}', false) is not null` }]
    // A write keeps what it has set, unless the session is cleaned.
    await ask([...filters, { column: 'id', operator: '<', value: '0' }], { max: 9 }, 'remove')
    await ask(filters)
  }
  const clean = `current_user = 'postgres' and current_setting('default_transaction_read_only') = 'off'
    and current_setting('search_path') not like '%nowhere%'`
  // More than share sessions at a time.
  const seen = await Promise.all(Array.from({ length: 8 }, () => found([{ condition: clean }])))
  expect(seen).toEqual(Array.from({ length: 8 }, () => [1, 2, 3, 4]))
})

test('a condition has the rights of who asks', async () => {
  const users = [{ condition: 'exists (select from auth.users) is not null' }]
  expect(await found(users)).toHaveLength(4)
  const reader = [{ condition: "current_user = 'plinth_read_only'" }]
  expect(await found(reader, {}, 'plinth_read_only')).toHaveLength(4)
  for (const condition of [
    'wipe()',
    "set_config('transaction_read_only', 'off', true) = 'off' and wipe()",
    "set_config('default_transaction_read_only', 'off', false) = 'off' and wipe()",
  ]) {
    for (const [path, more] of everywhere) {
      const refused = await ask([{ condition }], more, path, 'plinth_read_only')
      expect(refused).toMatchObject({ status: 400 })
    }
  }
  const removal = await ask([{ condition: 'true' }], { max: 9 }, 'remove', 'plinth_read_only')
  expect(removal).toMatchObject({ status: 400, body: { code: '25006' } })
  const as = { role: 'authenticated', claims: { sub: 'x' } }
  const role = [{ condition: "current_user = 'authenticated'" }]
  expect(await found(role, { as })).toHaveLength(4)
  expect(await ask(users, { as })).toMatchObject({ status: 400, body: { code: '42501' } })
  expect(await ask(role, { as }, 'rows', 'plinth_read_only')).toMatchObject({ status: 403 })
  expect(await all()).toEqual([{ n: 4 }])
})

test('a deletion takes the rows of a condition', async () => {
  await meta.sql('create table gone as select i as id from generate_series(1, 9) i')
  const [row] = await meta.sql("select 'gone'::regclass::oid::int as id")
  const filters = [
    { condition: 'id % 2 = 0' },
    { column: 'id', operator: 'between', value: '1, 3' },
    { condition: 'id = 9', or: true },
  ]
  const removed = await meta.call('POST', `entities/${Number(row?.id)}/remove`, {
    filters,
    max: 9,
  })
  expect(removed).toMatchObject({ status: 200, body: { removed: 2 } })
  expect(await meta.sql('select array_agg(id order by id) as ids from gone')).toEqual([
    { ids: [1, 3, 4, 5, 6, 7, 8] },
  ])
})
