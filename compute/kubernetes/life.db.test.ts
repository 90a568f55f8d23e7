import { afterAll, beforeAll, expect, test } from 'vitest'
import { scramVerifier } from '#kit/postgres/scram'
import { ask as asRole, loginsOf, specOf, testRef } from '../testing/conformance-project.ts'
import { kubernetesHarness, type KubernetesHarness } from '../testing/kubernetes/harness.ts'
import { customerRole, namespaceOf, superuser, superuserSecretOf } from './objects.ts'

let harness: KubernetesHarness
beforeAll(async () => {
  harness = await kubernetesHarness()
})
afterAll(() => harness.close())

const { customer } = loginsOf({ customer: customerRole, admin: superuser })
const ask = (at: Parameters<typeof asRole>[0], ref: string, sql: string) =>
  asRole(at, customer(ref), sql)
const whoAmI = 'select current_user::text'

test('a project comes, is entered, pauses, comes back with its rows, and goes', async () => {
  const { provider } = harness
  const ref = testRef()
  const at = await provider.create(specOf(ref))
  expect(await ask(at, ref, 'create table t as select 7 as n')).toBeUndefined()
  expect(await provider.inspect(ref)).toEqual({ state: 'running', address: at })
  await provider.stop(ref)
  expect(await provider.inspect(ref)).toEqual({ state: 'stopped' })
  await expect(ask(at, ref, 'select 1')).rejects.toThrow('ECONNREFUSED')
  const again = await provider.start(ref)
  expect(await ask(again, ref, 'select n from t')).toBe(7)
  await provider.destroy(ref)
  expect(await provider.inspect(ref)).toEqual({ state: 'absent' })
  expect(await harness.tracesOf(ref)).toEqual([])
  expect(harness.operator.errors).toEqual([])
})

/** What the cluster keeps of how the superuser signs in. */
function superuserLogin(ref: string) {
  const { data } = harness.api.store.get('Secret', namespaceOf(ref), superuserSecretOf(ref))
  const { password } = data as { password: string }
  return { role: superuser, password: Buffer.from(password, 'base64').toString('utf8') }
}

test('a platform that has verifiers and no passwords makes a project, too', async () => {
  const { provider } = harness
  const ref = testRef()
  const { passwords, limits } = specOf(ref)
  const [service, admin] = await Promise.all([
    scramVerifier(passwords.service),
    scramVerifier(passwords.admin),
  ])
  const at = await provider.create({ ref, limits, passwords: { ...passwords, service, admin } })
  expect(await asRole(at, { role: 'plinth_sql', password: passwords.service }, whoAmI)).toBe(
    customerRole,
  )
  await provider.destroy(ref)
})

test('each superuser has a password of its own that the cluster alone keeps, and another attempt does not change it', async () => {
  const { provider } = harness
  const [one, two] = [testRef(), testRef()]
  const at = await provider.create(specOf(one))
  await provider.create(specOf(two))
  const login = superuserLogin(one)
  expect(login.password).not.toBe(superuserLogin(two).password)
  expect(login.password).not.toBe(specOf(one).passwords.admin)
  const stored = "select string_agg(distinct split_part(rolpassword, '$', 1), ',') from pg_authid"
  expect(await asRole(at, login, stored)).toBe('SCRAM-SHA-256')
  await provider.create(specOf(one))
  expect(superuserLogin(one)).toEqual(login)
  for (const ref of [one, two]) await provider.destroy(ref)
})
