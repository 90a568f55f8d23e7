import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, customer, specOf, testRef } from '#compute/testing/conformance-project'
import { localHarness, type LocalHarness } from '#compute/testing/local'
import { projectSql, upgradeSql } from './tenants.ts'

let harness: LocalHarness
beforeAll(async () => {
  harness = await localHarness({ spares: 0 })
})
afterAll(() => harness.close())

test('a project of the version before passkeys, apps and data API settings gets all of them', async () => {
  const isNew = (sql: string) => sql.includes('auth.webauthn_credentials') || sql.includes('pgrst.')
  const identity = 'create table if not exists auth.webauthn_credentials'
  harness.options.projectSql = projectSql().map((sql) =>
    sql.includes(identity) ? sql.slice(0, sql.indexOf(identity)) : isNew(sql) ? '' : sql,
  )
  const ref = testRef()
  const earlier = await harness.reopen()
  const before = await earlier.create(specOf(ref))
  const limit = 'alter role authenticator set pgrst.db_max_rows = 7'
  await expect(ask(before, customer(ref), limit)).rejects.toThrow(/permission denied/)

  harness.options.projectSql = projectSql()
  harness.options.upgradeSql = upgradeSql()
  const now = await harness.reopen()
  const at = await now.start(ref)
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
