import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migratePlatform, platformMigrations } from '#control-plane/platform-database/store'
import { withClient } from '#kit/postgres/client'
import { root } from '#kit/root'
import {
  createEmptyDatabase,
  createPlatformDatabase,
  type TestConnection,
  type TestDatabase,
} from '#kit/testing/postgres'
import { platformSchema } from '../tenants.ts'
import { catalogOf, differences } from '../testing/catalog.ts'

async function opened(making: Promise<TestDatabase>): Promise<TestConnection> {
  const database = await making
  onTestFinished(() => database.drop())
  return database.adminConfig
}
const run = (database: TestConnection, ...texts: string[]) =>
  withClient(database, async (client) => {
    for (const sql of texts) await client.query(sql)
  })
const rowsOf = (database: TestConnection, sql: string) =>
  withClient(database, async (client) => (await client.query<Record<string, unknown>>(sql)).rows)
/** But for its name, what all databases of the server have together, and what the library of jobs makes. */
const shapeOf = async (database: TestConnection) =>
  (await catalogOf(database)).filter(
    (line) => !/^(?:database|role|membership|right to set):|\beverywhere\b|\bdbos\b/.test(line),
  )

/** The records as they were before there were checksums. */
const earlierRecords =
  'create table public.plinth_migrations (name text primary key, applied_at timestamptz not null default now())'
const recorded = (names: string[]) =>
  `insert into public.plinth_migrations (name) values ${names.map((name) => `('${name}')`).join(', ')}`
const names = platformSchema().map(({ name }) => name)

test('an empty database is given everything, once; what tests copy is the same', async () => {
  const empty = await opened(createEmptyDatabase())
  expect(await migratePlatform(empty, platformSchema())).toEqual(names)
  expect(await migratePlatform(empty, platformSchema())).toEqual([])

  const copy = await opened(createPlatformDatabase())
  expect(await migratePlatform(copy, platformSchema())).toEqual([])
  const made = await shapeOf(empty)
  expect(made.length).toBeGreaterThan(1000)
  expect(differences(made, await shapeOf(copy))).toEqual([])
  const people = 'select count(*)::int as count from platform.organizations'
  expect(await rowsOf(copy, people)).toEqual([{ count: 0 }])
})

test('the database of the oldest platform becomes what a new one is', async () => {
  const auth = await readFile(join(root, 'start/testing/oldest/002-auth.sql'), 'utf8')
  const [start, ...later] = platformMigrations()
  const old = await opened(createEmptyDatabase())
  await run(old, auth, start?.sql ?? '', earlierRecords, recorded(['auth/0001', '0001_start.sql']))
  const given = await migratePlatform(old, platformSchema())
  expect(given).toEqual([...names.slice(0, 3), ...later.map(({ name }) => name)])
  const fresh = await opened(createEmptyDatabase())
  await migratePlatform(fresh, platformSchema())
  expect(differences(await shapeOf(fresh), await shapeOf(old))).toEqual([])
})

test('a platform of before there were checksums is given nothing twice', async () => {
  const before = await opened(createEmptyDatabase())
  await migratePlatform(before, platformSchema())
  const earlier = [1, 2, 3, 4, 5].map((number) => `auth/000${number}`)
  await run(
    before,
    'drop table public.plinth_migrations',
    earlierRecords,
    recorded([...earlier, ...platformMigrations().map(({ name }) => name)]),
  )
  expect(await migratePlatform(before, platformSchema())).toEqual([])
  const kept = 'select name from public.plinth_migrations where checksum is not null order by name'
  const { length } = await rowsOf(before, kept)
  expect(length).toBe(names.length)
  const [first, ...others] = platformSchema()
  const edited = [{ name: first?.name ?? '', sql: 'select 1' }, ...others]
  await expect(migratePlatform(before, edited)).rejects.toThrow('auth/001-tables.sql')
})
