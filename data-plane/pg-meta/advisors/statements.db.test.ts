import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Output } from '#contract/endpoint'
import type { queryPerformance } from '#contract/observability/query-performance'
import { withClient } from '#kit/postgres/client'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

type List = Output<typeof queryPerformance.list>
type Advice = Output<typeof queryPerformance.advice>

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`create table orders (id int primary key, "the customer" int, paid boolean, note text);
    insert into orders select n, n % 5000, n % 2 = 0, repeat('x', 80) from generate_series(1, 50000) n`)
  await meta.sql('analyze orders')
  for (const n of [1, 2, 3])
    await meta.sql(`select count(*) from orders where "the customer" = ${n} /* slow one */`)
  await meta.sql('select id from orders limit 1')
})
afterAll(() => meta.close())

async function list(query = '', login?: 'plinth_read_only'): Promise<List> {
  const { status, body } = await meta.call('GET', `query-performance${query}`, undefined, login)
  expect(status, JSON.stringify(body)).toBe(200)
  return body as List
}
const post = (what: string, body: object) => meta.call('POST', `query-performance/${what}`, body)

test.each([
  ['an order that is none', '?sort=drop'],
  ['a negative page', '?offset=-1'],
  ['too much', '?limit=100000'],
])('%s is refused', async (_what, query) => {
  expect((await meta.call('GET', `query-performance${query}`)).status).toBe(400)
})

test('statements are counted once for all their values, and found by text, role and calls', async () => {
  const { state, statements, roles, since } = await list('?search=SLOW%20ONE')
  expect(state).toBe('ready')
  expect(statements).toMatchObject([
    { role: 'postgres', calls: 3, rows: 3, query: expect.stringContaining('"the customer" = $1') },
  ])
  expect(roles).toEqual(expect.arrayContaining(['postgres']))
  expect(Number.isNaN(Date.parse(since ?? ''))).toBe(false)
  expect((await list('?search=slow%20one&min_calls=4')).statements).toEqual([])
  expect((await list('?roles=nobody,service_role')).statements).toEqual([])
  const few = await list('?limit=1&sort=calls')
  expect(few.statements).toHaveLength(1)
  expect(few.total).toBeGreaterThan(1)
})

test('what tools ask of the catalogs is left out unless asked for', async () => {
  await meta.call('GET', 'tables')
  const texts = ({ statements }: List) => statements.map(({ query }) => query).join('\n')
  expect(texts(await list())).not.toMatch(/pg_class/)
  expect(texts(await list('?whose=all'))).toMatch(/pg_class/)
})

test.each(['total_time', 'calls', 'mean_time', 'max_time', 'rows'] as const)(
  'sorted by %s both ways',
  async (sort) => {
    const values = async (order: string) =>
      (await list(`?sort=${sort}&order=${order}&limit=5000&search=orders`)).statements.map(
        (statement) => statement[sort],
      )
    const down = await values('desc')
    expect(down).toEqual(down.toSorted((a, b) => b - a))
    expect(await values('asc')).toEqual(down.toReversed())
  },
)

test('who may only read gets the figures without the texts of others', async () => {
  const { statements } = await list('?whose=all', 'plinth_read_only')
  expect(statements.some(({ queryid }) => queryid === null)).toBe(true)
  expect(JSON.stringify(statements)).not.toContain('the customer')
})

test('the plan of a statement with placeholders; nothing runs', async () => {
  const { status, body } = await post('plan', { query: 'delete from orders where id = $1' })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body).toMatchObject({ plan: { 'Node Type': 'ModifyTable' } })
  expect(await meta.sql('select count(*)::int as n from orders')).toEqual([{ n: 50_000 }])
})

test.each([
  ['two statements', 'select 1; drop table orders'],
  ['what has no plan', 'drop table orders'],
  ['EXPLAIN ANALYZE in disguise', 'analyze select 1'],
  ['no SQL', "select interval '"],
  ['what is not there', 'select * from nowhere'],
])('%s is not planned, and it is said why', async (_what, query) => {
  expect(await post('plan', { query })).toEqual({
    status: 200,
    body: { cost: null, plan: null, problem: expect.stringMatching(/\w+/) },
  })
  expect((await post('advice', { query })).status).toBe(400)
})

test('nothing is no statement', async () => {
  expect((await post('plan', { query: '' })).status).toBe(400)
  expect((await post('advice', { query: '' })).status).toBe(400)
})

test('an index that helps is found by trial, and nothing of the trial stays', async () => {
  const indexes = 'select indexrelid::regclass::text as name from pg_index order by 1'
  const before = await meta.sql(indexes)
  const { status, body } = await post('advice', {
    query: 'select * from orders o where o."the customer" = $1 and o.paid = $2 order by note',
  })
  expect(status, JSON.stringify(body)).toBe(200)
  const { cost, indexes: found } = body as Advice
  expect(found).toHaveLength(1)
  const [best] = found
  expect(best).toMatchObject({ schema: 'public', table: 'orders', untried: null })
  expect(best?.columns).toContain('the customer')
  expect(best?.after).toBeLessThan(cost / 5)
  expect(best?.size).toBeGreaterThan(0)
  expect(await meta.sql(indexes)).toEqual(before)
})

test('no index is advised where there is one, or where none helps', async () => {
  for (const query of ['select * from orders where id = $1', 'select count(*) from orders'])
    expect(((await post('advice', { query })).body as Advice).indexes).toEqual([])
})

test('a table that somebody else holds is not waited for', async () => {
  await withClient(meta.db.configFor('postgres'), async (client) => {
    await client.query('begin; update orders set paid = true where id = 1')
    const { body } = await post('advice', {
      query: 'select * from orders where "the customer" = $1',
    })
    expect((body as Advice).indexes).toMatchObject([{ untried: expect.stringContaining('lock') }])
    await client.query('rollback')
  })
})

test('a reset forgets this database and only this one', async () => {
  expect((await post('reset', {})).status).toBe(200)
  expect((await list('?search=slow%20one')).statements).toEqual([])
  const others = await withClient(meta.db.adminConfig, (client) =>
    client.query(
      'select count(*)::int as n from extensions.pg_stat_statements where dbid <> (select oid from pg_database where datname = current_database())',
    ),
  )
  expect(others.rows[0].n).toBeGreaterThan(0)
})

test('without the extension it is said that it is missing', async () => {
  await withClient(meta.db.adminConfig, (client) =>
    client.query('drop extension pg_stat_statements'),
  )
  expect(await list()).toMatchObject({ state: 'not_installed', statements: [] })
})
