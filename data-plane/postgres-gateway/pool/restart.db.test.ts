import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { startPooler, type TestPooler } from '../../testing/pooler.ts'
import type { PoolMode } from '../events.ts'

let database: TestDatabase
let pooler: TestPooler
beforeAll(async () => {
  database = await createTestDatabase()
  pooler = await startPooler(database, { drainMs: 1000 })
})
afterAll(async () => {
  await pooler?.close()
  await database?.drop()
})

async function connect(mode: PoolMode): Promise<{ client: Client; ended: Promise<void> }> {
  const client = new Client(pooler.config(mode))
  // Told by what is asked, and by its end.
  client.on('error', () => undefined)
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
  await client.connect()
  return { client, ended }
}
const pid = async (client: Client) =>
  (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
const restart = () => pooler.change({ restarted: new Date().toISOString() })
const isThere = async (backend: number | undefined) =>
  (await pooler.admin.query('select from pg_stat_activity where pid = $1', [backend])).rowCount
const eventually = { timeout: 60_000, interval: 25 }

test.each(['session', 'transaction'] as const)(
  'clients in %s mode have to come back, and get another connection to the server',
  async (mode) => {
    const { client, ended } = await connect(mode)
    const before = await pid(client)
    restart()
    await ended
    await expect.poll(() => isThere(before), eventually).toBe(0)
    const again = await connect(mode)
    expect(await pid(again.client)).not.toBe(before)
    await again.client.end()
  },
)

test('a transaction that is under way may end before its client goes', async () => {
  const { client, ended } = await connect('transaction')
  await client.query('begin')
  const before = await pid(client)
  restart()
  expect((await client.query<{ one: number }>('select 1 as one')).rows).toEqual([{ one: 1 }])
  await client.query('commit')
  await ended
  await expect.poll(() => isThere(before), eventually).toBe(0)
})

test('one that does not end is cut off', async () => {
  const { client, ended } = await connect('transaction')
  await client.query('begin')
  const before = await pid(client)
  restart()
  await ended
  await expect.poll(() => isThere(before), eventually).toBe(0)
})

test('what is told again restarts nothing', async () => {
  const { client } = await connect('session')
  const before = await pid(client)
  pooler.change({})
  expect(await pid(client)).toBe(before)
  await client.end()
})
