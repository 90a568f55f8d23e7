import { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '#kit/log'
import { createTestDatabase, type TestDatabase } from '#kit/testing/postgres'
import { createListIndexes } from './list-indexes.ts'
import type { AuthTenant } from '../tenant.ts'

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = new Pool(database.configFor('supabase_auth_admin'))
  pool.on('error', () => undefined)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const version = `'0003_list_indexes'`
async function indexes(): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
      where indexrelid::regclass::text ~ '_list_' and indisvalid order by 1`,
  )
  return rows.map(({ name }) => name)
}
/** Only the pool and the name are looked at. */
const tenant = () => ({ id: 'one', pool }) as AuthTenant

test('a project from before gets the indexes once, also where an attempt was broken off', async () => {
  const before = await indexes()
  expect(before).toHaveLength(13)
  const { of } = createListIndexes(silentLog)
  const asked = tenant()
  await of(asked)
  await pool.query(`delete from auth.schema_migrations where version = ${version}`)
  for (const name of before) await pool.query('drop index ' + name)
  // Who was looked at is not looked at again.
  await of(asked)
  expect(await indexes()).toEqual([])
  // Two users without an audience: an attempt at this index fails and leaves its beginning.
  await pool.query(`insert into auth.users (email) values ('a@x.example'), ('b@x.example')`)
  await pool
    .query(
      'create unique index concurrently users_list_email_idx on auth.users (aud) nulls not distinct',
    )
    .catch(() => undefined)
  await Promise.all([of(tenant()), of(tenant())])
  expect(await indexes()).toEqual(before)
  const { rowCount } = await pool.query(
    `select from auth.schema_migrations where version = ${version}`,
  )
  expect(rowCount).toBe(1)
})

test('without them nobody waits: what fails is logged', async () => {
  const lines: string[] = []
  const log = { ...silentLog, warn: (_: unknown, text: string) => lines.push(text) }
  const closed = new Pool(database.configFor('supabase_auth_admin'))
  await closed.end()
  await createListIndexes(log as unknown as typeof silentLog).of({
    id: 'x',
    pool: closed,
  } as AuthTenant)
  expect(lines).toEqual(['The indexes of the lists could not be made'])
})
