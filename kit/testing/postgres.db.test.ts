import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from '#kit/postgres/client'
import {
  createEmptyDatabase,
  createTestDatabase,
  type TestConnection,
  type TestDatabase,
} from './postgres.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

function ask(config: TestConnection, sql: string): Promise<unknown[]> {
  return withClient(config, async (client) => {
    return (await client.query<{ answer: unknown }>(sql)).rows.map((row) => row.answer)
  })
}

test('a login role of the data API starts as its request role and can be no other', async () => {
  const anon = database.configFor('authenticator_anon')
  expect(await ask(anon, 'select current_user as answer')).toEqual(['anon'])
  await expect(ask(anon, 'set role service_role')).rejects.toThrow(/permission denied/)
})

test('two databases share nothing but roles, and a dropped one is gone', async () => {
  const other = await createTestDatabase()
  await ask(other.configFor('postgres'), 'create table only_here (id int)')
  const count = "select count(*)::int as answer from pg_tables where tablename = 'only_here'"
  expect(await ask(other.configFor('postgres'), count)).toEqual([1])
  expect(await ask(database.configFor('postgres'), count)).toEqual([0])
  await other.drop()
  await other.drop()
  await expect(ask(other.adminConfig, count)).rejects.toThrow(/does not exist/)
})

test('an empty database has no schema of a project', async () => {
  const empty = await createEmptyDatabase()
  const count = "select count(*)::int as answer from pg_namespace where nspname = 'auth'"
  expect(await ask(empty.adminConfig, count)).toEqual([0])
  expect(await ask({ ...empty.adminConfig, host: '127.0.0.1' }, count)).toEqual([0])
  await empty.drop()
})
