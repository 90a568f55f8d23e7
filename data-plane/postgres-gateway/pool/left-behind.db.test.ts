import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { poolerRef, startPooler, type TestPooler } from '../../testing/pooler.ts'

/** What a trigger leaves in a session is in no text that the pooler reads. */
const setup = `
  create table public.notes (id int);
  create sequence public.numbers;
  create function public.leave() returns trigger language plpgsql as $$
  begin
    perform set_config('app.who', 'somebody', false), set_config('statement_timeout', '77s', false);
    perform pg_advisory_lock(4242), nextval('public.numbers');
    execute 'create temp table if not exists left_table (id int)';
    execute 'set role anon';
    return new;
  end $$;
  create trigger leave after insert on public.notes for each row execute function public.leave()`
const trace = `select current_setting('app.who', true) as who, current_setting('statement_timeout') as timeout,
  to_regclass('left_table')::text as left_table, current_user::text as name,
  (select count(*)::int from pg_locks where locktype = 'advisory' and objid = 4242 and pid = pg_backend_pid()) as locks`
const none = { timeout: '0', left_table: null, name: 'postgres', locks: 0 }

let database: TestDatabase
let pooler: TestPooler | undefined
beforeAll(async () => {
  database = await createTestDatabase()
  const owner = new Client(database.configFor('postgres'))
  await owner.connect()
  await owner.query(setup)
  await owner.end()
})
afterEach(() => pooler?.close())
afterAll(() => database.drop())

/** A pooler whose clients share one connection, and get it back as it was for `ownMs`. */
async function start(ownMs: number) {
  const started = await startPooler(database, { pool: { size: 1, clients: 20 }, ownMs })
  pooler = started
  const connect = async () => {
    const client = new Client(started.config('transaction'))
    await client.connect()
    return client
  }
  const resets = () => started.gateway.poolFigures(poolerRef)?.resets ?? 0
  return { pooler: started, connect, resets }
}
const held = async ({ admin }: TestPooler) => {
  const { rows } = await admin.query<{ n: number }>(
    `select count(*)::int as n from pg_locks where locktype = 'advisory' and objid = 4242`,
  )
  return rows[0]?.n
}
const longAgo = 600_000

test('what a trigger of one client leaves is met by no other, however soon it comes', async () => {
  const { connect } = await start(longAgo)
  const [first, second] = [await connect(), await connect()]
  for (let times = 0; times < 20; times++) {
    await first.query('insert into notes values (1)')
    const { rows } = await second.query(trace)
    expect(rows[0]).toMatchObject(none)
    expect(rows[0]?.['who'] || null).toBeNull()
    // One that waits meanwhile does not meet it either.
    const [, other] = await Promise.all([
      first.query('insert into notes values (2)'),
      second.query(trace),
    ])
    expect(other.rows[0]).toMatchObject(none)
  }
  await first.end()
  const third = await connect()
  expect((await third.query(trace)).rows[0]).toMatchObject(none)
  await third.end()
  await second.end()
})

test('nor by one that comes when the first has gone', async () => {
  const { connect } = await start(longAgo)
  for (let times = 0; times < 5; times++) {
    const client = await connect()
    expect((await client.query(trace)).rows[0]).toMatchObject(none)
    await client.query('insert into notes values (3)')
    await client.end()
  }
})

test('a client that says nothing more keeps no lock', async () => {
  const { pooler: at, connect } = await start(20)
  const client = await connect()
  await client.query('insert into notes values (4)')
  await expect.poll(() => held(at)).toBe(0)
  expect((await client.query(trace)).rows[0]).toMatchObject(none)
  await client.end()
})

test('a client that goes on gets its connection without a reset, and one that says SET does not', async () => {
  const { connect, resets } = await start(longAgo)
  const [first, second] = [await connect(), await connect()]
  await first.query('select 1')
  const before = resets()
  for (let times = 0; times < 20; times++) {
    await first.query({ name: 'one', text: 'select id from notes where id = $1', values: [1] })
    await first.query('begin; select 1; commit').catch(() => undefined)
    await first.query('select count(*) from notes')
  }
  // Texts with several statements are not read so closely.
  expect(resets() - before).toBe(20)
  await second.query('select 1')
  expect(resets() - before).toBe(21)
  await first.query(`set app.who = 'first'`)
  expect((await first.query(trace)).rows[0]?.['who'] || null).toBeNull()
  await first.end()
  await second.end()
})

test('who is there, who waits and for how long is told', async () => {
  const { pooler: at, connect } = await start(longAgo)
  const figures = () => at.gateway.poolFigures(poolerRef)
  expect(figures()).toBeUndefined()
  const [first, second] = [await connect(), await connect()]
  await first.query('begin')
  const waits = second.query('select 1')
  await expect.poll(() => figures()?.waiting).toBe(1)
  expect(figures()).toMatchObject({ clients: 2, connections: 1, idle: 0, refusedWaits: 0 })
  const before = figures()?.waitSeconds ?? 0
  await first.query('commit')
  await waits
  expect(figures()?.waiting).toBe(0)
  expect(figures()?.waitSeconds).toBeGreaterThan(before)
  await first.end()
  await second.end()
  await expect.poll(() => figures()?.clients).toBe(0)
})
