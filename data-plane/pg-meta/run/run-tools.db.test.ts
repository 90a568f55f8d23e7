import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ResultCell, RunEvent } from '#contract/database/sql/sql-query'
import { ref, startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
/** Sessions are opened after it. */
let opening = Promise.resolve()
beforeAll(async () => {
  meta = await startMeta({ transactionIdleMs: 1500, whenAsked: () => opening })
  await meta.sql('create table marks (n int unique deferrable initially deferred)')
})
afterAll(() => meta.close())

const rowsOf = (events: RunEvent[]) =>
  events.flatMap((event) => (event.type === 'rows' ? event.rows : []))
/** What EXPLAIN answered. */
const planOf = (events: RunEvent[]): unknown => JSON.parse(textOf(rowsOf(events)[0]?.[0]))
const textOf = (cell: ResultCell | undefined) => (typeof cell === 'string' ? cell : '')
const errorOf = (events: RunEvent[]) =>
  events.find((event) => event.type === 'error')?.error ?? undefined
const endOf = (events: RunEvent[]) => events.find((event) => event.type === 'end')
const count = async () => Number((await meta.sql('select count(*) as n from marks'))[0]?.['n'])

test.each([
  ['a value that is no text', { parameters: { a: 1 } }],
  ['an unknown way to explain', { explain: 'guess' }],
  ['two statements to explain', { query: 'select 1; select 2', explain: 'plan' }],
  ['nothing to explain', { query: '-- nothing', explain: 'plan' }],
  ['a transaction without an id', { transaction: { begin: true } }],
  [
    'a transaction that only reads',
    { transaction: { id: crypto.randomUUID(), begin: true }, read_only: true },
  ],
])('%s is refused', async (_, more) => {
  const input = { id: crypto.randomUUID(), query: 'select 1', ...more }
  expect(await meta.call('POST', 'query/run', input)).toMatchObject({ status: 400 })
})

test('values of names travel apart from the text, whatever they hold', async () => {
  const hostile = "'; drop table marks; --"
  const events = await meta.run({
    query:
      "select :text::text, :n::int + 1, :nothing::text is null, ':text'; select :n::int limit :n",
    parameters: { text: hostile, n: '1', nothing: null },
  })
  expect(rowsOf(events)).toEqual([[hostile, '2', 't', ':text'], ['1']])
  const wrong = await meta.run({ query: 'select 1;\nselect :word::int', parameters: { word: 'x' } })
  expect(errorOf(wrong)).toMatchObject({ code: '22P02' })
  const unknown = await meta.run({ query: 'select :a, nonsense', parameters: { a: '1' } })
  expect(errorOf(unknown)).toMatchObject({ code: '42703', line: 1, column: 12 })
})

test('a limit is added to a SELECT with parameters, too', async () => {
  const events = await meta.run({
    query: 'select * from generate_series(1, :to)',
    parameters: { to: '900' },
    row_limit: 100,
  })
  expect(rowsOf(events)).toHaveLength(100)
})

test('a plan is shown without running, and with running in vain', async () => {
  const plan = await meta.run({
    query: 'insert into marks values (:n)',
    parameters: { n: '7' },
    explain: 'plan',
  })
  expect(planOf(plan)).toMatchObject([{ Plan: { 'Node Type': 'ModifyTable' } }])
  const many = Array.from({ length: 60 }, (_, n) => `select ${n} from marks where n = ${n}`)
  const long = await meta.run({ query: many.join(' union all '), explain: 'plan' })
  expect(planOf(long)).toMatchObject([{ Plan: {} }])
  const ran = await meta.run({ query: 'insert into marks values (7)', explain: 'analyze' })
  expect(planOf(ran)).toMatchObject([
    { 'Execution Time': expect.any(Number), Plan: { 'Actual Rows': expect.any(Number) } },
  ])
  expect(await count()).toBe(0)
  const wrong = await meta.run({ query: 'select\n nonsense', explain: 'analyze' })
  expect(errorOf(wrong)).toMatchObject({ line: 2, column: 2 })
})

test('a transaction stays open between runs, and only its end decides', async () => {
  const id = crypto.randomUUID()
  const inside = (query: string, begin = false, more: object = {}) =>
    meta.run({ query, transaction: { id, begin }, ...more })
  expect(endOf(await inside('insert into marks values (1)', true))).toMatchObject({
    transaction: 'open',
    rolled_back: false,
  })
  expect(rowsOf(await inside('select n from marks'))).toEqual([['1']])
  await inside('insert into marks values (2)', false, { explain: 'analyze' })
  expect(rowsOf(await inside('select n from marks'))).toEqual([['1']])
  expect(await count()).toBe(0)
  const end = await meta.call('POST', 'query/transaction', { id, how: 'commit' })
  expect(end).toEqual({ status: 200, body: { committed: true } })
  expect(await count()).toBe(1)
  expect(await meta.call('POST', 'query/transaction', { id, how: 'commit' })).toMatchObject({
    status: 409,
    body: { code: 'transaction_gone' },
  })
  const late = { id: crypto.randomUUID(), query: 'select 1', transaction: { id, begin: false } }
  expect(await meta.call('POST', 'query/run', late)).toMatchObject({ status: 409 })
})

test('a failed statement leaves a transaction that can only be rolled back', async () => {
  const id = crypto.randomUUID()
  const failed = await meta.run({
    query: 'insert into marks values (5); select 1/0',
    transaction: { id, begin: true },
  })
  expect(endOf(failed)).toMatchObject({ transaction: 'failed' })
  const end = await meta.call('POST', 'query/transaction', { id, how: 'commit' })
  expect(end.body).toEqual({ committed: false })
  expect(await count()).toBe(1)
})

test('a commit that a constraint refuses says so', async () => {
  const id = crypto.randomUUID()
  await meta.run({ query: 'insert into marks values (1)', transaction: { id, begin: true } })
  const end = await meta.call('POST', 'query/transaction', { id, how: 'commit' })
  expect(end).toMatchObject({ status: 400, body: { code: '23505' } })
  expect(await count()).toBe(1)
})

test('the text’s own COMMIT ends it, and its session', async () => {
  const id = crypto.randomUUID()
  const run = await meta.run({
    query: 'insert into marks values (3); commit',
    transaction: { id, begin: true },
  })
  expect(endOf(run)).toMatchObject({ transaction: 'none' })
  expect(await count()).toBe(2)
  const sessions = `select 1 from pg_stat_activity where application_name like '%${id}'`
  await expect.poll(() => meta.sql(sessions)).toEqual([])
})

test('a transaction is cancelled by its own id, and is nobody else’s', async () => {
  const id = crypto.randomUUID()
  const as = (caller: string, path: string, body: object) =>
    meta.app.inject({
      method: 'POST',
      url: `/${ref}/${path}`,
      headers: {
        'x-plinth-login': 'postgres',
        'x-plinth-caller': encodeURIComponent(caller),
      },
      body,
    })
  const slow = as('ada@example.com', 'query/run', {
    id: crypto.randomUUID(),
    query: 'insert into marks values (8); select pg_sleep(60)',
    transaction: { id, begin: true },
  })
  await expect
    .poll(async () => (await as('ada@example.com', 'query/cancel', { id })).json<object>())
    .toEqual({ cancelled: true })
  expect((await slow).body).toContain('"57014"')
  expect((await slow).body).toContain('"transaction":"failed"')
  const foreign = await as('bob@example.com', 'query/transaction', { id, how: 'commit' })
  expect(foreign.statusCode).toBe(409)
  const own = await as('ada@example.com', 'query/transaction', { id, how: 'rollback' })
  expect(own.json()).toEqual({ committed: false })
})

test.each([
  ['a run', undefined],
  ['a transaction', { id: crypto.randomUUID(), begin: true }],
])('%s that is cancelled before it has a session never begins', async (_, transaction) => {
  let open = () => {}
  opening = new Promise((done) => (open = done))
  const id = crypto.randomUUID()
  const run = meta.run({ id, query: 'insert into marks values (99)', transaction })
  const cancelled = () => meta.call('POST', 'query/cancel', { id: transaction?.id ?? id })
  await expect.poll(cancelled).toMatchObject({ body: { cancelled: true } })
  open()
  const events = await run
  expect(errorOf(events)).toMatchObject({ code: '57014' })
  expect(await meta.sql('select * from marks where n = 99')).toEqual([])
  if (transaction)
    await meta.call('POST', 'query/transaction', { id: transaction.id, how: 'rollback' })
})

test('a transaction keeps the role that it was begun with', async () => {
  const id = crypto.randomUUID()
  const as = { role: 'anon', claims: {} }
  const begun = await meta.run({
    query: 'select current_user',
    as,
    transaction: { id, begin: true },
  })
  expect(rowsOf(begun)).toEqual([['anon']])
  const other = { id: crypto.randomUUID(), query: 'select 1', transaction: { id, begin: false } }
  expect(await meta.call('POST', 'query/run', other)).toMatchObject({ status: 400 })
  const again = await meta.run({
    query: 'select current_user',
    as,
    transaction: { id, begin: false },
  })
  expect(rowsOf(again)).toEqual([['anon']])
})

test('who may only read holds no transaction', async () => {
  const transaction = { id: crypto.randomUUID(), begin: true }
  await expect(meta.run({ query: 'select 1', transaction }, 'plinth_read_only')).rejects.toThrow(
    /nothing to commit/,
  )
})

test('one that nobody touches is rolled back', async () => {
  const id = crypto.randomUUID()
  await meta.run({ query: 'insert into marks values (9)', transaction: { id, begin: true } })
  await expect
    .poll(
      async () => {
        const late = {
          id: crypto.randomUUID(),
          query: 'select 1',
          transaction: { id, begin: false },
        }
        return (await meta.call('POST', 'query/run', late)).status
      },
      { timeout: 60_000, interval: 2500 },
    )
    .toBe(409)
  expect(await count()).toBe(2)
})

test('functions are told by name with their arguments, built-in ones and one’s own', async () => {
  await meta.sql(`create function "Odd name"(a int, b text default 'x') returns text language sql return b;
    comment on function "Odd name" is 'Odd indeed'`)
  const { body } = await meta.call('GET', 'query/functions?name=Odd%20name')
  expect(body).toEqual([
    {
      schema: 'public',
      name: 'Odd name',
      arguments: "a integer, b text DEFAULT 'x'::text",
      returns: 'text',
      kind: 'function',
      description: 'Odd indeed',
    },
  ])
  const builtIn = await meta.call('GET', 'query/functions?name=jsonb_set')
  expect(builtIn.body).toMatchObject([{ schema: 'pg_catalog', returns: 'jsonb' }])
  const all = (await meta.call('GET', 'query/functions')).body as { schema: string }[]
  expect(all.filter(({ schema }) => schema === 'pg_catalog')).toEqual([])
})

test('a text is checked by the grammar, without running', async () => {
  const { body } = await meta.call('POST', 'query/check', { query: 'drop table marks; selec 1' })
  expect(body).toMatchObject({
    problems: [{ start: 18, end: 23 }],
    dangers: [{ kind: 'destructive', line: 1 }],
  })
  expect(await count()).toBe(2)
})
