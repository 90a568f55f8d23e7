import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { createBudgets } from '../projects/projects.ts'
import { createConnections, type Connections, type Who } from './connections.ts'

const who: Who = { ref: 'abcdefghijklmnopqrst', login: 'postgres', application: 'test', by: null }
let database: TestDatabase
let connections: Connections
let target: ClientConfig

beforeAll(async () => {
  database = await createTestDatabase()
  target = database.configFor('postgres')
  connections = createConnections(() => Promise.resolve(target), createBudgets(), silentLog)
})
afterAll(async () => {
  await connections.close()
  await database.drop()
})

const pid = () =>
  connections.use(who, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return rows[0]?.pid
  })

test('what still runs at a former address keeps nobody waiting who comes to the new one', async () => {
  const before = await pid()
  let letGo: () => void = () => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  let runs = false
  const long = connections.use(who, async (client) => {
    runs = true
    await held
    return (await client.query<{ n: number }>('select 7 as n')).rows
  })
  await expect.poll(() => runs).toBe(true)
  try {
    target = { ...target, host: '127.0.0.1' }
    expect(await pid()).not.toBe(before)
  } finally {
    letGo()
  }
  expect(await long).toEqual([{ n: 7 }])
})
