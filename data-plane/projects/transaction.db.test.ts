import fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { runTransaction, type Statement } from './transaction.ts'

let database: TestDatabase
let client: Client
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  client = new Client(database.configFor('postgres'))
  client.on('error', () => undefined)
  await client.connect()
  await client.query(
    'drop table if exists t; create table t (id int primary key deferrable initially deferred)',
  )
})
afterEach(() => client.end())

const sql = (text: string, ...values: (string | null)[]): Statement => ({ text, values })
const run = (...statements: Statement[]) => runTransaction(client, { statements })
const rows = async () =>
  (await client.query('select id from t order by id')).rows.map((row) => row.id)

test('each statement answers with its rows', async () => {
  expect(
    await run(sql('select 1, null, $1', 'x'), sql('select 2 where false'), sql('values (3), (4)')),
  ).toEqual([[['1', null, 'x']], [], [['3'], ['4']]])
})

test('values of every kind and length come back as they went', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 5000 }).filter((s) => !s.includes('\0'))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text), { minLength: 1, maxLength: 5 }), async (values) => {
      const list = values.map((_, i) => `$${i + 1}::text`).join(', ')
      expect(await run(sql(`select ${list}`, ...values))).toEqual([[values]])
    }),
    { numRuns: 200 },
  )
  const large = 'ä€😀'.repeat(300_000)
  expect(await run(sql('select length($1)', large))).toEqual([[['900000']]])
})

test('all of it happens or nothing', async () => {
  await expect(run(sql('insert into t values (1)'), sql('select 1 / 0'))).rejects.toThrow(
    'division by zero',
  )
  expect(await rows()).toEqual([])
  await run(sql('insert into t values (1)'), sql('insert into t values (2)'))
  expect(await rows()).toEqual([1, 2])
})

test('a failure at the very end, when it commits, is a failure', async () => {
  const twice = run(sql('insert into t values (1)'), sql('insert into t values (1)'))
  await expect(twice).rejects.toThrow('duplicate key')
  expect(await rows()).toEqual([])
})

test('what a result refuses is undone', async () => {
  const insert = (refuse: () => Error | undefined) =>
    runTransaction(client, { statements: [sql('insert into t values (1) returning id')], refuse })
  await expect(insert(() => new Error('no'))).rejects.toThrow('no')
  const throws = () => {
    throw new Error('a bug')
  }
  await expect(insert(throws)).rejects.toThrow('a bug')
  expect(await rows()).toEqual([])
  expect(await insert(() => undefined)).toEqual([[['1']]])
  expect(await rows()).toEqual([1])
  await expect(insert(() => undefined)).rejects.toThrow('duplicate key')
})

test('settings end with it, and the next one starts clean', async () => {
  const [, seen] = await run(
    sql("select set_config('plinth.x', $1, true)", 'y'),
    sql("select current_setting('plinth.x')"),
  )
  expect(seen).toEqual([['y']])
  expect(await run(sql("select coalesce(current_setting('plinth.x', true), '')"))).toEqual([[['']]])
})

test('one after the other on one connection, failures between them, each has its own answer', async () => {
  for (let i = 0; i < 200; i++) {
    const answer =
      i % 7 === 3
        ? await run(sql('select 1 / 0')).catch(() => 'failed')
        : await run(sql('select $1::int', String(i)))
    expect(answer).toEqual(i % 7 === 3 ? 'failed' : [[[String(i)]]])
  }
})

test('prepared statements that were lost or whose types have changed are made again, once', async () => {
  const ask = () => run(sql('select id from t where id = $1', '5'))
  for (let i = 0; i < 3; i++) await ask()
  await client.query('deallocate all')
  expect(await ask()).toEqual([[]])
  for (let i = 0; i < 3; i++) await ask()
  await client.query('drop table t; create table t (id text)')
  expect(await ask()).toEqual([[]])
  for (let i = 0; i < 3; i++) await ask()
  await client.query('alter table t alter id type int using id::int')
  await expect(run(sql('select id from t where id = $1', 'x'))).rejects.toThrow(
    'invalid input syntax',
  )
  expect(await ask()).toEqual([[]])
})

test('failed and evicted statements do not pile up in the server', async () => {
  const failing = sql('select 1 / $1::int', '0')
  for (let i = 0; i < 10; i++) await run(failing).catch(() => undefined)
  for (let i = 0; i < 150; i++) for (let j = 0; j < 2; j++) await run(sql(`select ${i}`))
  const [[count] = []] = await run(sql('select count(*) from pg_prepared_statements'))
  expect(Number(count)).toBeLessThanOrEqual(102)
})

test('an empty statement is harmless; NUL and too many values are refused before anything is sent', async () => {
  expect(await run(sql(''))).toEqual([[]])
  const many = Array.from({ length: 65_536 }, () => '1')
  for (let i = 0; i < 3; i++) {
    await expect(run(sql('select 1\0'))).rejects.toThrow(TypeError)
    await expect(run(sql('select 1', ...many))).rejects.toThrow(RangeError)
    const refuse = () => undefined
    const refused = runTransaction(client, { statements: [sql('select 1\0')], refuse })
    await expect(refused).rejects.toThrow(TypeError)
  }
  expect(await run(sql('select 1'))).toEqual([[['1']]])
})

test('COPY ends the connection', async () => {
  await expect(run(sql('copy t from stdin'))).rejects.toThrow(/terminated/)
})

test('a connection that dies fails what runs on it', async () => {
  const failure = expect(run(sql('select pg_sleep(30)'))).rejects.toThrow(/terminat/)
  const admin = new Client(database.adminConfig)
  admin.on('error', () => undefined)
  await admin.connect()
  await admin.query('select pg_terminate_backend($1)', [Reflect.get(client, 'processID')])
  await failure
  await admin.end()
})
