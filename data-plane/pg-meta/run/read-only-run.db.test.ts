import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunEvent } from '#contract/database/sql/sql-query'
import { withClient } from '#kit/postgres/client'
import { createResultReader } from './result-reader.ts'
import { startMeta, type Meta } from '../../testing/pg-meta/pg-meta.ts'

let meta: Meta
beforeAll(async () => {
  meta = await startMeta()
  await meta.sql(`
    create table kept (id int);
    insert into kept values (1);
    create function sneak() returns int language plpgsql security definer as $$
    begin
      perform set_config('default_transaction_read_only', 'off', false);
      perform set_config('transaction_read_only', 'off', false);
      delete from kept;
      return 1;
    end $$;
    create procedure sneak_commit() language plpgsql as $$
    begin
      commit;
      set transaction read write;
      delete from kept;
    end $$;
    create function sneak_definer() returns int language sql security definer as 'delete from kept returning 1';
    create sequence counter;
  `)
})
afterAll(() => meta.close())

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>
const only = <T extends RunEvent['type']>(events: RunEvent[], type: T) =>
  events.filter((event): event is Of<T> => event.type === type)

// Every text is one that a model could be talked into writing. `postgres` owns everything, so that only the
// transaction stands in the way; members' runs have the role besides.
test.each([
  ['delete from kept', '25006'],
  ['set transaction read write; delete from kept', '25001'],
  ['set default_transaction_read_only = off; delete from kept', '25006'],
  ['set session characteristics as transaction read write; delete from kept', '25006'],
  ['commit; delete from kept', '25006'],
  ['commit; drop table kept', '25006'],
  ['commit and chain; set transaction read write; delete from kept', '25001'],
  ['rollback and chain; set transaction read write; drop table kept', '25001'],
  ['begin read write; delete from kept', '25001'],
  ['end; begin read write; delete from kept', '25001'],
  ['savepoint a; set transaction read write; delete from kept', '25001'],
  ['select sneak()', '25001'],
  ['select sneak_definer()', '25006'],
  ['call sneak_commit()', '2D000'],
  ['do $$ begin commit; delete from kept; end $$', '2D000'],
  ['do $$ begin delete from kept; end $$', '25006'],
  ['with gone as (delete from kept returning 1) select * from gone', '25006'],
  ['explain analyze delete from kept', '25006'],
  ['prepare p as delete from kept; execute p', '25006'],
  ['create table more ()', '25006'],
  ['create temp table more (); insert into more select', '25006'],
  ["select setval('counter', 100)", '25006'],
  ['truncate kept', '25006'],
  ['grant all on kept to anon', '25006'],
  // Where our own splitter and Postgres would disagree on where a statement ends, Postgres sees one text and refuses.
  [
    String.raw`set standard_conforming_strings = off; select '\'; commit; delete from kept; --'`,
    '',
  ],
])('%s changes nothing', async (query, code) => {
  const events = await meta.run({ query, read_only: true })
  const errors = only(events, 'error').map(({ error }) => error.code)
  if (code) expect(errors).toEqual([code])
  expect(events.at(-1)).toMatchObject({ type: 'end' })
  const [row] = await meta.sql("select count(*)::int as n, to_regclass('more') as more from kept")
  expect(row).toEqual({ n: 1, more: null })
})

test('the same text may change data without read_only: it is that which holds it', async () => {
  const events = await meta.run({ query: 'begin; delete from kept; rollback' })
  expect(only(events, 'error')).toEqual([])
  expect(only(events, 'done')[1]).toMatchObject({ command: 'DELETE', rows: 1 })
})

test('one message holds one statement: Postgres itself refuses two, whatever a splitter made of the text', async () => {
  const nothing = () => undefined
  const sink = { fields: nothing, row: nothing, flush: nothing, complete: nothing }
  await withClient(meta.db.configFor('postgres'), async (client) => {
    const reader = createResultReader(client)
    const error = await reader.runSingle('select 1; delete from kept', sink)
    expect(error).toMatchObject({ code: '42601' })
    expect(await reader.runSingle('select 1', sink)).toBeUndefined()
  })
})

test('reading works as in every run: fields, rows, limits, notices, several statements', async () => {
  const events = await meta.run({
    query: "do $$ begin raise notice 'hello'; end $$; select id, 'x' as t from kept; table kept",
    read_only: true,
  })
  expect(only(events, 'fields').map(({ fields }) => fields.map(({ name }) => name))).toEqual([
    ['id', 't'],
    ['id'],
  ])
  expect(only(events, 'rows').map(({ rows }) => rows)).toEqual([[['1', 'x']], [['1']]])
  // Our own transactions are not told about.
  expect(only(events, 'notice').map(({ message }) => message)).toEqual(['hello'])
  const limited = await meta.run({
    query: 'select * from generate_series(1, 500)',
    read_only: true,
  })
  expect(only(limited, 'done')).toMatchObject([{ rows: 100 }])
  const failed = await meta.run({ query: 'select nonsense', read_only: true })
  expect(only(failed, 'error')).toMatchObject([{ error: { code: '42703', line: 1, column: 8 } }])
  expect(failed.at(-1)).toMatchObject({ type: 'end', rolled_back: false })
})
