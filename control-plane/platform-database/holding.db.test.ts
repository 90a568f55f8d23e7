import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { createPlatformDatabase } from '#kit/testing/postgres'
import { besideTransactions, refuseSecondConnections } from '../testing/one-connection.ts'
import { openDatabase } from './database.ts'
import { createHolding } from './holding.ts'

let database: Awaited<ReturnType<typeof createPlatformDatabase>>
let opened: ReturnType<typeof openDatabase>

beforeAll(async () => {
  database = await createPlatformDatabase()
  opened = openDatabase({ ...database.adminConfig, max: 4 }, silentLog)
  refuseSecondConnections(opened.pool)
})
afterAll(async () => {
  await opened.db.destroy()
  await database.drop()
})

const ask = async () =>
  (await sql<{ one: number }>`select 1 as one`.execute(opened.db)).rows[0]?.one
const inTransaction = (work: () => Promise<unknown>) => opened.db.transaction().execute(work)

test('more work that asks for a second connection than the pool has connections comes to its end', async () => {
  const holding = createHolding()
  const all = Array.from({ length: 12 }, () => holding(() => inTransaction(ask)))
  expect(await Promise.all(all)).toEqual(Array(12).fill(1))
})

test('in tests a transaction that asks for a second connection is refused it, once it has ended it is not', async () => {
  await expect(inTransaction(ask)).rejects.toThrow('give `tx` along')
  expect(await inTransaction(() => besideTransactions(ask))).toBe(1)
  let later: Promise<unknown> | undefined
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  await inTransaction(async () => {
    later = ended.then(ask)
  })
  end()
  expect(await later).toBe(1)
})
