import type { PoolConfig } from 'pg'
import { Pool } from '#kit/postgres/client'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '#control-plane/platform-database/store'
import {
  createEmptyDatabase,
  createPlatformDatabase,
  type TestDatabase,
} from '#kit/testing/postgres'
import { platformSchema } from '../tenants.ts'

/** Everything that stands in a schema of the platform's own, but for the rows. */
const shape = `
  select table_schema || '.' || table_name as name, column_name, data_type, is_nullable, column_default
  from information_schema.columns where table_schema in ('platform', 'auth', 'public')
  union all
  select schemaname || '.' || tablename, indexname, indexdef, '', '' from pg_indexes
  where schemaname in ('platform', 'auth', 'public')
  union all
  select conrelid::regclass::text, conname, pg_get_constraintdef(oid), '', '' from pg_constraint
  where connamespace in ('platform'::regnamespace, 'auth'::regnamespace)
  order by 1, 2, 3`

async function opened(making: Promise<TestDatabase>) {
  const database = await making
  const config: PoolConfig = database.adminConfig
  const pool = new Pool(config)
  onTestFinished(async () => {
    await pool.end()
    await database.drop()
  })
  return pool
}
const rowsOf = async (pool: Pool, sql: string) =>
  (await pool.query<Record<string, unknown>>(sql)).rows

test('an empty database is given everything, once; what tests copy is the same', async () => {
  const empty = await opened(createEmptyDatabase())
  const names = platformSchema().map(({ name }) => name)
  expect(await migrate(empty, platformSchema())).toEqual(names)
  expect(await migrate(empty, platformSchema())).toEqual([])

  const copy = await opened(createPlatformDatabase())
  expect(await migrate(copy, platformSchema())).toEqual([])
  const made = await rowsOf(empty, shape)
  expect(made.length).toBeGreaterThan(500)
  expect(await rowsOf(copy, shape)).toEqual(made)
  const people = 'select count(*)::int as count from platform.organizations'
  expect(await rowsOf(copy, people)).toEqual([{ count: 0 }])
})
