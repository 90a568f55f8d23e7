import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunEvent } from '#contract/database/sql/sql-query'
import { ref, startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>
const only = <T extends RunEvent['type']>(events: RunEvent[], type: T) =>
  events.filter((event): event is Of<T> => event.type === type)
const rowsOf = (events: RunEvent[], index = 0) =>
  only(events, 'rows')
    .filter((event) => event.index === index)
    .flatMap((event) => event.rows)

test.each<[string, object, number]>([
  ['no query', {}, 400],
  ['an id that is none', { id: 'x', query: 'select 1' }, 400],
  ['a NUL', { query: 'select \0' }, 400],
  ['a row limit of nothing', { query: 'select 1', row_limit: 0 }, 400],
  ['a huge text', { query: 'x'.repeat(900_001) }, 400],
])('%s is refused before it runs', async (_, body, status) => {
  const input = { id: crypto.randomUUID(), ...body }
  expect(await meta.call('POST', 'query/run', input)).toMatchObject({ status })
})

test('an empty text is a run of nothing', async () => {
  const [event, ...more] = await meta.run({ query: ' -- nothing\n' })
  expect(event).toMatchObject({ type: 'end', rolled_back: false })
  expect(more).toEqual([])
})

test('every statement has its own result, with exact cells and named types', async () => {
  await meta.sql("create type colour as enum ('red')")
  const events = await meta.run({
    query: `create table things (id int8, n numeric, at timestamptz, c colour, l text[]);
      insert into things values (9007199254740993, 1.10, '2026-01-01 00:00:00.123456+00', 'red', '{"a,b",NULL}'), (2, 'NaN', null, null, null);
      set timezone to 'UTC'; select *, null as nothing, '' as empty, true as yes from things order by id desc; update things set n = 1`,
  })
  expect(only(events, 'statement').map(({ index, line }) => [index, line])).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
    [3, 3],
    [4, 3],
  ])
  expect(
    only(events, 'fields').map(({ fields }) => fields.map(({ name, type }) => `${name} ${type}`)),
  ).toEqual([
    [
      'id int8',
      'n numeric',
      'at timestamptz',
      'c colour',
      'l text[]',
      'nothing text',
      'empty text',
      'yes bool',
    ],
  ])
  expect(rowsOf(events, 3)).toEqual([
    [
      '9007199254740993',
      '1.10',
      '2026-01-01 00:00:00.123456+00',
      'red',
      '{"a,b",NULL}',
      null,
      '',
      't',
    ],
    ['2', 'NaN', null, null, null, null, '', 't'],
  ])
  expect(only(events, 'done').map(({ command, rows }) => [command, rows])).toEqual([
    ['CREATE TABLE', null],
    ['INSERT', 2],
    ['SET', null],
    ['SELECT', 2],
    ['UPDATE', 2],
  ])
  expect(events.at(-1)).toMatchObject({ type: 'end', rolled_back: false })
})

test('the first failure ends the text, with its place in the whole of it', async () => {
  const query = "select 1;\n-- ünïcödé 😀\nselect '😀', nonsense\nfrom pg_class;\nselect 3"
  const events = await meta.run({ query })
  const [{ error, index } = { error: undefined, index: -1 }] = only(events, 'error')
  expect(index).toBe(1)
  expect(error).toMatchObject({ code: '42703', line: 3, column: 13 })
  expect(
    Array.from(query)
      .slice((error?.position ?? 0) - 1)
      .join(''),
  ).toMatch(/^nonsense/)
  expect(error?.formattedError).toBe(
    `ERROR:  42703: column "nonsense" does not exist\nLINE 3: select '😀', nonsense\n${' '.repeat(20)}^\n`,
  )
  expect(only(events, 'statement')).toHaveLength(2)
})

test('a syntax error is told in the words of Postgres, after what came before it ran', async () => {
  const events = await meta.run({ query: 'create table early (); selec 1' })
  expect(only(events, 'error')).toMatchObject([
    { index: 1, error: { code: '42601', position: 24, line: 1 } },
  ])
  expect(await meta.sql("select to_regclass('early') is not null as there")).toEqual([
    { there: true },
  ])
})

test('transactions are honoured, and one left open is rolled back', async () => {
  const kept = await meta.run({ query: 'begin; create table kept (); commit' })
  expect(kept.at(-1)).toMatchObject({ rolled_back: false })
  const open = await meta.run({ query: 'begin; create table lost ()' })
  expect(open.at(-1)).toMatchObject({ rolled_back: true })
  const failed = await meta.run({ query: 'begin; create table lost (); select 1/0; commit' })
  expect(failed.at(-1)).toMatchObject({ rolled_back: true })
  const [found] = await meta.sql(
    "select to_regclass('kept') is not null as kept, to_regclass('lost') is null as lost",
  )
  expect(found).toEqual({ kept: true, lost: true })
})

test('nothing of a run is left for the next', async () => {
  await meta.run({
    query:
      "set search_path to pg_catalog; create temp table t (); set role anon; select set_config('a.b', 'c', false)",
  })
  const events = await meta.run({
    query: "select current_user, current_setting('a.b', true), to_regclass('pg_temp.t')",
  })
  expect(rowsOf(events)).toEqual([['postgres', null, null]])
})

test('one SELECT is limited, others are not', async () => {
  const limited = await meta.run({
    query: 'select * from generate_series(1, 200) -- all',
    row_limit: 100,
  })
  expect(only(limited, 'statement')).toMatchObject([{ limited_to: 100 }])
  expect(rowsOf(limited)).toHaveLength(100)
  const free = await meta.run({ query: 'select * from generate_series(1, 200)', row_limit: null })
  expect(only(free, 'statement')).toMatchObject([{ limited_to: null }])
  expect(only(free, 'done')).toMatchObject([{ rows: 200 }])
})

test('notices arrive with their statement', async () => {
  const events = await meta.run({
    query: "select 1; do $$ begin raise warning 'careful' using hint = 'slow'; end $$",
  })
  expect(only(events, 'notice')).toMatchObject([
    { index: 1, severity: 'WARNING', message: 'careful', hint: 'slow' },
  ])
})

test('large values arrive as heads, other protocols do no harm', async () => {
  const big = await meta.run({
    query: "select repeat('é', 10241), repeat('a', 10240), repeat('b', 3000000)",
  })
  const heads = (rowsOf(big)[0] ?? []).map((cell) =>
    typeof cell === 'object' ? [cell?.head.length, cell?.bytes] : cell?.length,
  )
  expect(heads).toEqual([[10240, 20482], 10240, [10240, 3000000]])
  expect(
    only(await meta.run({ query: 'copy (select 1) to stdout; select 2' }), 'done'),
  ).toMatchObject([{ command: 'COPY' }, { command: 'SELECT' }])
  const copied = await meta.run({
    query: 'create temp table c (a int); copy c from stdin; select 2',
  })
  expect(only(copied, 'error')).toMatchObject([{ index: 1, error: { code: '57014' } }])
})

test('a statement over its time is stopped', async () => {
  const events = await meta.run({ query: 'select pg_sleep(10)', timeout_ms: 200 })
  expect(only(events, 'error')).toMatchObject([{ error: { code: '57014' } }])
})

/** The answer of a real request over a socket, as it comes in. */
async function open(body: object) {
  const base = meta.app.server.listening
    ? addressOf()
    : await meta.app.listen({ host: '127.0.0.1', port: 0 })
  const leave = new AbortController()
  const response = await fetch(`${base}/${ref}/query/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-plinth-login': 'postgres' },
    body: JSON.stringify({ id: crypto.randomUUID(), row_limit: null, ...body }),
    signal: leave.signal,
  })
  if (!response.body) throw new Error('There is no answer')
  return { leave, body: response.body }
}
function addressOf() {
  const address = meta.app.server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

const sleepers = () =>
  meta.sql(
    "select pid from pg_stat_activity where query like '%pg_sleep(60)%' and state = 'active' and pid <> pg_backend_pid()",
  )
async function until(condition: () => Promise<boolean>) {
  for (const end = Date.now() + 10_000; Date.now() < end;) if (await condition()) return
  throw new Error('It never came true')
}

test('a run is cancelled by its id, and by leaving', async () => {
  const id = crypto.randomUUID()
  const running = open({ id, query: 'select pg_sleep(60)' })
  await until(async () => (await sleepers()).length === 1)
  expect(await meta.call('POST', 'query/cancel', { id: crypto.randomUUID() })).toMatchObject({
    body: { cancelled: false },
  })
  expect(await meta.call('POST', 'query/cancel', { id })).toMatchObject({
    body: { cancelled: true },
  })
  const text = await new Response((await running).body).text()
  expect(text).toContain('"code":"57014"')
  expect(await sleepers()).toEqual([])

  const left = await open({ query: 'select 1; select pg_sleep(60); create table after_leaving ()' })
  await until(async () => (await sleepers()).length === 1)
  left.leave.abort()
  await until(async () => (await sleepers()).length === 0)
  expect(await meta.sql("select to_regclass('after_leaving') as it")).toEqual([{ it: null }])
})

test('the first rows arrive while the statement still runs', async () => {
  const { body } = await open({
    query:
      'select i, pg_sleep(case when i = 2001 then 60 else 0 end) from generate_series(1, 5000) i',
  })
  let text = ''
  for await (const chunk of body) {
    text += Buffer.from(chunk).toString()
    if (text.includes('"rows"')) break
  }
  expect(text).toContain('"rows":[["1",""]')
  await until(async () => (await sleepers()).length === 0)
})

test("a large result flows at the reader's pace with flat memory", async () => {
  const query = "select i, repeat('x', 1000) from generate_series(1, 150000) i"
  const { body } = await open({ query })
  const before = process.memoryUsage()
  let max = 0
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes % 7 === 0) await new Promise((done) => setImmediate(done))
    const { external, arrayBuffers } = process.memoryUsage()
    max = Math.max(max, external + arrayBuffers - before.external - before.arrayBuffers)
  }
  expect(bytes).toBeGreaterThan(150_000_000)
  // Both ends of the socket live in this process, and the collector is never in a hurry.
  expect(max).toBeLessThan(100_000_000)
})

test('Postgres waits for a reader that stops', async () => {
  const { body, leave } = await open({
    query: "select i, repeat('x', 1000) from generate_series(1, 2000000) i",
  })
  const reader = body.getReader()
  await reader.read()
  await until(
    async () =>
      (
        await meta.sql(
          "select 1 from pg_stat_activity where wait_event = 'ClientWrite' and query like '%2000000%' and state = 'active'",
        )
      ).length === 1,
  )
  leave.abort()
  await until(
    async () =>
      (
        await meta.sql(
          "select 1 from pg_stat_activity where query like '%2000000%' and state = 'active' and pid <> pg_backend_pid()",
        )
      ).length === 0,
  )
})
