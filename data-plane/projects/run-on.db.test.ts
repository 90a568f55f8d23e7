import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { Pool } from './pool.ts'
import { runOn } from './run-on.ts'
import type { Statement, Transaction } from './transaction.ts'

let database: TestDatabase
let watcher: Client
let pool: Pool

beforeAll(async () => {
  database = await createTestDatabase()
  watcher = new Client(database.configFor('postgres'))
  watcher.on('error', () => undefined)
  await watcher.connect()
  await watcher.query(`
    create table late (id int);
    create function leave_late() returns trigger language plpgsql as $$ begin
      create temp table of_trigger (id int);
      perform pg_advisory_lock(2);
      return null;
    end $$;
    create constraint trigger late after insert on late
      deferrable initially deferred for each row execute function leave_late()`)
  const onError = (error: unknown) => {
    throw error
  }
  pool = new Pool({ config: database.configFor('postgres'), max: 1, waitMs: 5000, onError })
})
afterAll(async () => {
  await pool.close(1000)
  await watcher.end()
  await database.drop()
})

const sql = (text: string): Statement => ({ text, values: [] })
const everyTrace = [
  'select pg_advisory_lock(1)',
  'create temp table kept (id int)',
  'listen something',
  'declare held cursor with hold for select 1',
].map(sql)

async function run(transaction: Transaction) {
  const client = await pool.acquire()
  return runOn(pool, client, { leavesTraces: true, ...transaction }, (error) => {
    throw error
  })
}

/** What the one connection still holds, seen by itself and, of locks, by another. */
async function left(): Promise<unknown> {
  const [seen] = await run({
    leavesTraces: false,
    statements: [
      sql(`select coalesce(to_regclass('pg_temp.kept'), to_regclass('pg_temp.of_trigger'))::text,
        (select count(*) from pg_listening_channels()), (select count(*) from pg_cursors where is_holdable)`),
    ],
  })
  const locks = `select count(*)::int as n from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`
  const { rows } = await watcher.query<{ n: number }>(locks)
  return [...(seen?.[0] ?? []), rows[0]?.n]
}
const nothing = [null, '0', '0', 0]

test('a transaction leaves nothing to the next one, and answers with its own rows only', async () => {
  expect(await run({ statements: [...everyTrace, sql('select 7')] })).toEqual([
    [['']],
    [],
    [],
    [],
    [['7']],
  ])
  expect(await left()).toEqual(nothing)
})

test('nor do triggers that were put off to its end', async () => {
  await run({ statements: [sql('insert into late values (1)')] })
  expect(await left()).toEqual(nothing)
})

test('nor one that fails, where only what it did to the database was undone', async () => {
  await expect(run({ statements: [...everyTrace, sql('select 1 / 0')] })).rejects.toThrow(
    'division by zero',
  )
  expect(await left()).toEqual(nothing)
})

test('nor one that is refused', async () => {
  const refuse = () => new Error('Refused')
  await expect(run({ statements: everyTrace, refuse })).rejects.toThrow('Refused')
  expect(await left()).toEqual(nothing)
})

test('nor does one that was held for harmless, once more is known of the database', async () => {
  const harmless = { leavesTraces: false, statements: everyTrace }
  await run({ ...harmless, epoch: 1 })
  await run({ leavesTraces: false, epoch: 1, statements: [sql('select 1')] })
  expect(await left()).not.toEqual(nothing)
  await run({ leavesTraces: false, epoch: 2, statements: [sql('select 1')] })
  expect(await left()).toEqual(nothing)
})

test('nor one that was planned before that and comes after it', async () => {
  await run({ leavesTraces: false, epoch: 3, statements: [sql('select 1')] })
  await run({ leavesTraces: false, epoch: 2, statements: everyTrace })
  expect(await left()).toEqual(nothing)
})

const setting = `coalesce(current_setting('own.setting', true), '')`
const sets = sql(`select set_config('own.setting', 'kept', false)`)
/** What a transaction that begins with the settings of the session finds. */
const found = async (more: Partial<Transaction> = {}) =>
  (
    await run({
      leavesTraces: false,
      resetsSettings: true,
      statements: [sql(`select ${setting}`)],
      ...more,
    })
  )[0]
const known = { keepsSettings: true, epoch: 10 }

test('what one sets for the whole session is not there for the next that begins without', async () => {
  await run({ leavesTraces: false, statements: [sets] })
  expect(await run({ leavesTraces: false, statements: [sql(`select ${setting}`)] })).toEqual([
    [['kept']],
  ])
  expect(await found()).toEqual([['']])
  await run({ leavesTraces: false, resetsSettings: true, statements: [sets] })
  expect(await found(known)).toEqual([['']])
})

test('one is not reset after one that is known to have set nothing', async () => {
  await found(known)
  // It has set something all the same, so that the lack of a reset shows.
  await run({ ...known, leavesTraces: false, resetsSettings: true, statements: [sets] })
  expect(await found(known)).toEqual([['kept']])
  expect(await found({ epoch: 10 })).toEqual([['kept']])
  expect(await found(known)).toEqual([['']])
})

test('one is reset after one that failed, was refused, or was of an earlier knowledge', async () => {
  const doomed = { ...known, leavesTraces: false, resetsSettings: true }
  await run({ leavesTraces: false, statements: [sets] })
  await expect(run({ ...doomed, statements: [sql('select 1 / 0')] })).rejects.toThrow('by zero')
  expect(await found(known)).toEqual([['']])
  await run({ leavesTraces: false, statements: [sets] })
  const refuse = (rows: unknown) => new Error(`Refused ${JSON.stringify(rows)}`)
  await expect(run({ ...doomed, refuse, statements: [sql('select 1')] })).rejects.toThrow(
    'Refused [[["1"]]]',
  )
  expect(await found(known)).toEqual([['']])
  // It was held for harmless, and was not: a trigger was new.
  await run({ ...doomed, statements: [sets] })
  expect(await found({ ...known, epoch: 11 })).toEqual([['']])
})
