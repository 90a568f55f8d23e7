import { Pool } from '#kit/postgres/client'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { silentLog } from '#kit/log'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { Flow } from './flow.ts'
import type { Change } from './changes/wal-store.ts'

let database: TestDatabase
let pool: Pool
let heard: Change[]
let work: () => Promise<void>
let flow: Flow
beforeAll(async () => {
  database = await createTestDatabase()
  pool = new Pool(database.configFor('postgres'))
  await pool.query(
    'create table books (id int primary key); alter publication supabase_realtime add table books',
  )
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})
afterEach(() => flow.stop())

function startFlow(): void {
  heard = []
  work = () => Promise.resolve()
  const config = database.configFor('plinth_realtime')
  flow = new Flow({
    ref: 'books',
    pool: () => pool,
    config: () => config,
    watchMs: 60_000,
    log: silentLog,
    async onChanges(changes) {
      heard.push(...changes)
      await work()
    },
  })
  flow.start()
}

const slots = async () => {
  const { rows } = await pool.query(
    'select 1 from pg_replication_slots where database = current_database() and active',
  )
  return rows.length
}

test('one that was stopped while it began is not live before it reads again', async () => {
  startFlow()
  for (let i = 0; i < 10; i++) {
    await flow.stop()
    expect(await flow.live()).toBe(false)
    flow.start()
    expect(await flow.live()).toBe(true)
    await pool.query('insert into books values ($1)', [i])
    await expect.poll(() => heard.length).toBe(i + 1)
    // Begins, and is stopped before it can have begun.
    await flow.stop()
    flow.start()
  }
})

test('stops in the middle of telling, and comes again', async () => {
  startFlow()
  expect(await flow.live()).toBe(true)
  let go: () => void = () => undefined
  work = () => new Promise((resolve) => (go = resolve))
  await pool.query('insert into books values (100), (101)')
  await expect.poll(() => heard.length).toBe(2)
  const stopped = flow.stop()
  await pool.query('insert into books values (102)')
  go()
  await stopped
  // The server ends the process of a connection that was closed in its own time.
  await expect.poll(slots).toBe(0)
  flow.start()
  expect(await flow.live()).toBe(true)
  work = () => Promise.resolve()
  await pool.query('insert into books values (103)')
  await expect.poll(() => heard.at(-1)?.record).toEqual({ id: '103' })
})

test('changes that cannot be told because everything is closed are no error of the process', async () => {
  const uncaught = vi.fn<(error: unknown) => void>()
  process.on('unhandledRejection', uncaught)
  onTestFinished(() => void process.off('unhandledRejection', uncaught))
  startFlow()
  expect(await flow.live()).toBe(true)
  let fail: (error: Error) => void = () => undefined
  work = () => new Promise((_, reject) => (fail = reject))
  await pool.query('insert into books values (200)')
  await expect.poll(() => heard.length).toBe(1)
  await flow.stop()
  fail(new Error('Cannot use a pool after calling end on the pool'))
  // Node tells of a rejection that nobody took once all promises have had their turn.
  await new Promise(setImmediate)
  expect(uncaught).not.toHaveBeenCalled()
})

test('changes that cannot be told while it reads make it begin anew', async () => {
  startFlow()
  expect(await flow.live()).toBe(true)
  work = () => Promise.reject(new Error('The database does not answer'))
  await pool.query('insert into books values (300)')
  await expect.poll(() => flow.live(0)).toBe(false)
  await expect.poll(slots).toBe(0)
})
