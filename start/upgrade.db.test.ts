import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  admin,
  ask,
  customer,
  service,
  specOf,
  testRef,
} from '#compute/testing/conformance-project'
import { localHarness, type LocalHarness } from '#compute/testing/local'
import type { DatabaseAddress } from '#compute/provider'
import { createListIndexes } from '#data-plane/auth/admin/list-indexes'
import { silentLog } from '#kit/log'
import { Pool } from '#kit/postgres/client'
import { root } from '#kit/root'
import { beforeRecords, newProjectSql, projectMigrations } from './tenants.ts'
import { catalogOf, differences } from './testing/catalog.ts'

let harness: LocalHarness
beforeAll(async () => {
  harness = await localHarness({ spares: 0 })
})
afterAll(() => harness.close())

const loginOf = (at: DatabaseAddress, { role, password }: ReturnType<typeof customer>) => ({
  host: at.socketDir,
  port: at.port,
  user: role,
  password,
  database: 'postgres',
})
const catalog = (at: DatabaseAddress, ref: string) => catalogOf(loginOf(at, admin(ref)))
const oldest = (name: string) => readFile(join(root, 'start/testing/oldest', name), 'utf8')
/** An earlier version of a file of today made it, with other parameters than later ones. */
const leftBehind = `set role supabase_realtime_admin;
  create function realtime.visible_rows(regclass, text[], jsonb, jsonb) returns text language sql as 'select null::text';
  reset role`
const thisVersion = () => {
  harness.options.migrations = projectMigrations()
  harness.options.newProjectSql = newProjectSql()
  return harness.reopen()
}

test('a project as the oldest version made it becomes exactly what a new one is', async () => {
  harness.options.migrations = []
  harness.options.newProjectSql = [
    await oldest('001-schema.sql'),
    await oldest('002-auth.sql'),
    leftBehind,
  ]
  const [old, fresh] = [testRef(), testRef()]
  await (await harness.reopen()).create(specOf(old))

  const now = await thisVersion()
  const upgraded = await now.start(old)
  expect(now.upgradeFailure?.(old)).toBeUndefined()
  // Its auth service gives it these while it runs, and its tables are granted, as they were.
  const pool = new Pool(loginOf(upgraded, service(old, 'supabase_auth_admin')))
  await createListIndexes(silentLog).of({ id: old, pool })
  await pool.end()
  const at = await now.create({ ...specOf(fresh), newTables: 'granted' })
  const made = await catalog(at, fresh)
  expect(made.length).toBeGreaterThan(1000)
  expect(differences(made, await catalog(upgraded, old))).toEqual([
    // What the owner of the new one has chosen; where nothing is said, it is the same.
    '- setting: authenticator | everywhere | pgrst.new_tables=granted',
  ])
})

test('all but the originals can run again, and changes nothing', async () => {
  const ref = testRef()
  const before = await catalog(await (await thisVersion()).create(specOf(ref)), ref)
  harness.options.migrations = projectMigrations().map((migration) => ({
    ...migration,
    ...(migration.isOriginal ? {} : { filled: `${migration.sql}\n` }),
  }))
  const at = await (await harness.reopen()).start(ref)
  const filled = 'select count(*)::int from extensions.plinth_migrations where filled is not null'
  expect(await ask(at, admin(ref), filled)).toBe(
    projectMigrations().filter(({ isOriginal }) => !isOriginal).length,
  )
  expect(differences(before, await catalog(at, ref))).toEqual([])
})

test('a project of the last version without records is given nothing twice', async () => {
  const ref = testRef()
  const first = await (await thisVersion()).create(specOf(ref))
  // As that version left it, but for a function, which would be made again.
  await ask(first, admin(ref), 'drop table extensions.plinth_migrations')
  await ask(first, admin(ref), 'drop function storage.extension(text)')
  const known = beforeRecords()
  // What git had for the files of that version, under its name for them.
  expect(known.key).toBe('e72bac829a7784de')
  const file = join(harness.folder(ref), 'project.json')
  const record = JSON.parse(await readFile(file, 'utf8')) as object
  await writeFile(file, JSON.stringify({ ...record, upgrade: known.key }))
  harness.options.beforeRecords = known
  const at = await (await harness.reopen()).start(ref)
  const gone = "select to_regprocedure('storage.extension(text)') is null"
  expect(await ask(at, customer(ref), gone)).toBe(true)
  const names = 'select count(*)::int from extensions.plinth_migrations'
  expect(await ask(at, customer(ref), names)).toBe(projectMigrations().length)
})

test('a project of the version before passkeys, apps and data API settings gets all of them', async () => {
  const isNew = ({ name, sql }: { name: string; sql: string }) =>
    name.startsWith('auth/003') || sql.includes('pgrst.')
  harness.options.migrations = projectMigrations().filter((migration) => !isNew(migration))
  harness.options.newProjectSql = newProjectSql().filter((sql) => !sql.includes('pgrst.'))
  const ref = testRef()
  const earlier = await harness.reopen()
  const before = await earlier.create(specOf(ref))
  const limit = 'alter role authenticator set pgrst.db_max_rows = 7'
  await expect(ask(before, customer(ref), limit)).rejects.toThrow(/permission denied/)

  const at = await (await thisVersion()).start(ref)
  await ask(at, customer(ref), limit)
  const tables = `select count(*)::int from pg_class where relnamespace = 'auth'::regnamespace
    and relname in ('webauthn_credentials', 'oauth_clients', 'custom_oauth_providers')`
  expect(await ask(at, customer(ref), tables)).toBe(3)
  // Its apps go on as they did: that new tables are private is what its owner may choose, and new projects begin with.
  const open = `select has_table_privilege('anon', 'made', 'select') and not relrowsecurity from pg_class
    where oid = 'made'::regclass`
  await ask(at, customer(ref), 'create table made (id int)')
  expect(await ask(at, customer(ref), open)).toBe(true)
  await ask(at, customer(ref), "alter role authenticator set pgrst.new_tables = 'private'")
  await ask(at, customer(ref), 'drop table made; create table made (id int)')
  expect(await ask(at, customer(ref), open)).toBe(false)
})
