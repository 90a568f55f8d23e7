import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunEvent } from '#contract/database/sql/sql-query'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
})
afterAll(() => meta.close())

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>
const only = <T extends RunEvent['type']>(events: RunEvent[], type: T) =>
  events.filter((event): event is Of<T> => event.type === type)
const errorOf = (events: RunEvent[]) => only(events, 'error')[0]?.error
const count = async (table: string) =>
  (await meta.sql(['select count(*)::int as n from', table].join(' ')))[0]?.['n']

const inserts = (table: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `insert into ${table} values (${from + i});`)

test('the first error of a long script ends it: what came before is kept, nothing behind it ran', async () => {
  await meta.sql('create table many (id int primary key)')
  const lines = [
    ...inserts('many', 0, 250),
    'insert into many values (7);',
    ...inserts('many', 250, 500),
  ]
  const events = await meta.run({ query: lines.join('\n') })
  expect(only(events, 'error')).toMatchObject([{ index: 250, error: { code: '23505' } }])
  expect(only(events, 'statement').map(({ index, line }) => index === line - 1)).toEqual(
    Array.from({ length: 251 }, () => true),
  )
  expect(only(events, 'done').map(({ index, command, rows }) => [index, command, rows])).toEqual(
    Array.from({ length: 250 }, (_, index) => [index, 'INSERT', 1]),
  )
  expect(events.at(-1)).toMatchObject({ type: 'end', rolled_back: false })
  expect(await count('many')).toBe(250)
})

test('an error in the middle of a script has its place in the whole of it', async () => {
  const query = "select 1 as a;\nselect '😀' as b;\nselect 'ü',\n  nonsense;\nselect 4 as d"
  const events = await meta.run({ query })
  expect(errorOf(events)).toMatchObject({ code: '42703', line: 4, column: 3 })
  expect(only(events, 'statement')).toHaveLength(3)
})

test('results, notices and errors of a script that is sent at once are of their statements, in order', async () => {
  await meta.sql(`create type mood as enum ('fine');
    create function says(text) returns int language plpgsql as 'begin raise notice ''%'', $1; return 1; end'`)
  const query =
    "select 'fine'::mood as m; select says('one'); create table if not exists says (); create table if not exists says (); select generate_series(1, 3) as n"
  const events = await meta.run({ query })
  expect(
    events.flatMap((event) => ('index' in event ? [`${event.type} ${event.index}`] : [])),
  ).toEqual(
    `statement 0, fields 0, rows 0, done 0, statement 1, fields 1, notice 1, rows 1, done 1, statement 2, done 2,
    statement 3, notice 3, done 3, statement 4, fields 4, rows 4, done 4`.split(/,\s+/),
  )
  expect(only(events, 'fields')[0]?.fields[0]).toMatchObject({ name: 'm', type: 'mood' })
  for (const { ms } of only(events, 'done')) expect(ms).toBeGreaterThanOrEqual(0)
})

test('what fails when it is committed fails as its own statement, and ends the script', async () => {
  await meta.sql(`create table parents (id int primary key);
    create table children (id int primary key, parent int references parents deferrable initially deferred)`)
  const events = await meta.run({
    query:
      'insert into parents values (1); insert into children values (1, 1); insert into children values (2, 2); insert into children values (3, 1)',
  })
  expect(only(events, 'error')).toMatchObject([{ index: 2, error: { code: '23503' } }])
  expect(await count('children')).toBe(1)
})

test('each statement of a script is a transaction of its own, unless it says otherwise', async () => {
  const events = await meta.run({
    query: `create table ids (id xid8); insert into ids select pg_current_xact_id(); insert into ids select pg_current_xact_id();
      vacuum ids; begin; insert into ids select pg_current_xact_id(); insert into ids select pg_current_xact_id(); commit;
      create index concurrently on ids (id); select count(distinct id) from ids; set local timezone to 'UTC'`,
  })
  expect(only(events, 'error')).toEqual([])
  expect(only(events, 'rows').map(({ rows }) => rows)).toEqual([[['3']]])
  // It has no transaction to be local to.
  expect(only(events, 'notice').map(({ message }) => message)).toEqual([
    'SET LOCAL can only be used in transaction blocks',
  ])
})

test('all of a script in one transaction, or nothing of it', async () => {
  await meta.sql('create table whole (id int primary key)')
  const lines = inserts('whole', 0, 300).join('\n')
  const failed = await meta.run({ query: `${lines}select 1/0`, one_transaction: true })
  expect(failed.at(-1)).toMatchObject({ type: 'end', rolled_back: true })
  expect(await count('whole')).toBe(0)
  const kept = await meta.run({ query: lines, one_transaction: true })
  expect(kept.at(-1)).toMatchObject({ type: 'end', rolled_back: false })
  expect(await count('whole')).toBe(300)
})

test('a commit that Postgres refuses is the last word on a script in one transaction', async () => {
  await meta.sql(`create table heads (id int primary key);
    create table tails (id int, head int references heads deferrable initially deferred)`)
  const events = await meta.run({ query: 'insert into tails values (1, 1)', one_transaction: true })
  expect(errorOf(events)).toMatchObject({ code: '23503' })
  expect(events.at(-1)).toMatchObject({ rolled_back: true })
})

test('a script that is cancelled stops in the middle', async () => {
  await meta.sql('create table slow (id int)')
  const id = crypto.randomUUID()
  const query = Array.from(
    { length: 2000 },
    (_, i) => `insert into slow select ${i} from pg_sleep(0.02);`,
  ).join('\n')
  const running = meta.run({ id, query })
  await expect.poll(() => count('slow')).toBeGreaterThan(5)
  expect(await meta.call('POST', 'query/cancel', { id })).toMatchObject({
    body: { cancelled: true },
  })
  const events = await running
  expect(errorOf(events)).toMatchObject({ code: '57014' })
  expect(only(events, 'done')).toHaveLength(Number(await count('slow')))
  expect(Number(await count('slow'))).toBeLessThan(500)
})

test('what only reads still only reads, statement by statement', async () => {
  await meta.sql('create table safe (id int)')
  const query = 'select 1 as a; set transaction_read_only to off; insert into safe values (1)'
  const events = await meta.run({ query, read_only: true })
  expect(errorOf(events)?.code).toMatch(/25001|25006/)
  expect(await count('safe')).toBe(0)
})
