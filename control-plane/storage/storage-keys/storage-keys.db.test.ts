import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { maxStorageKeys } from '#contract/storage/storage-keys'
import { sql } from 'kysely'
import { keyedRef, otherRef, startKeyedPlane, type KeyedPlane } from '../../testing/keys.ts'

let world: KeyedPlane
const url = `/platform/storage/${keyedRef}/credentials`
beforeAll(async () => {
  world = await startKeyedPlane()
})
afterAll(() => world?.end())
beforeEach(async () => {
  await sql`delete from platform.storage_keys`.execute(world.plane.db)
  await world.reset()
})

const make = (description: unknown = 'Backups', who = world.ada) =>
  who.call('POST', url, { description })
const list = async (who = world.ada) => (await who.call('GET', url)).body['data'] as unknown[]

test.each([[''], ['  '], ['x'.repeat(101)], ['a\u0000b'], [7], [undefined]])(
  'no key is called %j',
  async (description) => {
    const answer = await world.ada.call('POST', url, { description })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_input' } })
    expect(await list()).toEqual([])
  },
)

test.each([
  ['Owner', 200, 201],
  ['Administrator', 200, 201],
  ['Developer', 200, 201],
  ['Read-only', 403, 403],
] as const)('%s: seeing keys is %i, making and deleting them %i', async (role, sees, makes) => {
  const { id } = (await make()).body
  const member = world.memberAs(role)
  expect((await member.call('GET', url)).status).toBe(sees)
  expect((await make('Mine', member)).status).toBe(makes)
  expect((await member.call('DELETE', `${url}/${String(id)}`)).status).toBe(sees)
})

test('nobody without a session, and nobody from elsewhere, comes near', async () => {
  const one = `${url}/${String((await make()).body['id'])}`
  for (const [method, address, body] of [
    ['GET', url],
    ['POST', url, { description: 'Mine' }],
    ['DELETE', one],
  ] as const) {
    expect((await world.plane.app.inject({ method, url: address })).statusCode).toBe(401)
    const answer = await world.stranger.call(method, address, body)
    expect(answer).toMatchObject({ status: 404, body: { code: 'project_not_found' } })
  }
  const elsewhere = await world.ada.call('DELETE', one.replace(keyedRef, otherRef))
  expect(elsewhere).toMatchObject({ status: 404, body: { code: 'storage_key_not_found' } })
  expect(await list()).toHaveLength(1)
})

test('the secret is answered once, kept sealed, and told to the services of its project alone', async () => {
  const made = await make(' Backups ')
  const { secret_key: secret, ...shown } = made.body
  expect(made.status).toBe(201)
  expect(shown).toEqual({
    id: expect.any(String),
    description: 'Backups',
    access_key: expect.stringMatching(/^[0-9a-f]{32}$/),
    created_at: expect.any(String),
    created_by: 'ada@example.com',
  })
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  expect(await list()).toEqual([shown])
  const served = { accessKey: shown['access_key'], secretKey: secret }
  expect((await world.served()).storageKeys).toEqual([served])
  expect((await world.served(otherRef)).storageKeys).toEqual([])
  const rows = await sql<{ row: string }>`select t::text as row from platform.storage_keys t
    union all select t::text from platform.audit_entries t`.execute(world.plane.db)
  expect(rows.rows.map(({ row }) => row).join()).not.toContain(secret)
  expect(world.logged()).not.toContain(secret)
})

test('a deleted key is served no more; both changes are in the audit log', async () => {
  const { id, access_key } = (await make()).body
  const about = { id, description: 'Backups', access_key }
  const removed = await world.ada.call('DELETE', `${url}/${String(id)}`)
  expect(removed).toMatchObject({ status: 200, body: about })
  expect(await list()).toEqual([])
  expect((await world.served()).storageKeys).toEqual([])
  expect((await world.ada.call('DELETE', `${url}/${String(id)}`)).status).toBe(404)
  expect(await world.audited('storageKeys')).toMatchObject([
    { action: 'storageKeys.create', change: { after: about } },
    { action: 'storageKeys.remove', change: { before: about } },
  ])
})

test('a project has only so many, also when several are made at once', async () => {
  const all = await Promise.all(Array.from({ length: maxStorageKeys + 2 }, () => make()))
  expect(all.filter(({ status }) => status === 201)).toHaveLength(maxStorageKeys)
  const refused = all.filter(({ status }) => status !== 201)
  for (const answer of refused)
    expect(answer).toMatchObject({ status: 409, body: { code: 'too_many_storage_keys' } })
})

test('the keys of a project that is removed go with it', async () => {
  await make()
  await sql`update platform.projects set status = 'REMOVED' where ref = ${keyedRef}`.execute(
    world.plane.db,
  )
  const { rows } = await sql`select from platform.storage_keys`.execute(world.plane.db)
  expect(rows).toEqual([])
  await sql`update platform.projects set status = 'INACTIVE' where ref = ${keyedRef}`.execute(
    world.plane.db,
  )
})
