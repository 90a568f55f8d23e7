import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, customer, specOf, testRef } from '#compute/conformance-project'
import { localHarness, type LocalHarness } from '#compute/local/harness'
import { projectSql, upgradeSql } from './tenants.ts'

let harness: LocalHarness
beforeAll(async () => {
  harness = await localHarness({ spares: 0 })
})
afterAll(() => harness.close())

test('a project of the version before passkeys, apps and data API settings gets all of them', async () => {
  const isNew = (sql: string) =>
    sql.includes('auth.webauthn_credentials') || sql.includes('pgrst.db_max_rows')
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
})
