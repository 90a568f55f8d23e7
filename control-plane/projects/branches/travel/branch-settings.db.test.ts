import { afterAll, beforeAll, expect, test } from 'vitest'
import { BranchDifference, type Branch } from '#contract/projects/branches'
import { branchBench } from '../../../testing/branches.ts'
import { startWorld, type World } from '../../../testing/world.ts'

let world: World
let bench: ReturnType<typeof branchBench>
beforeAll(async () => {
  world = await startWorld()
  bench = branchBench(world)
  await auth(world.ref, { JWT_EXP: 1800, SITE_URL: 'https://books.example.com' })
  await bucket(world.ref, 'covers')
})
afterAll(() => world.end())

async function patch(path: string, change: object) {
  const answer = await world.ada.call('PATCH', path, change)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}
const auth = (ref: string, change: object) => patch(`/platform/auth/${ref}/config`, change)
const authOf = async (ref: string) =>
  (await world.ada.call('GET', `/platform/auth/${ref}/config`)).body
const dataApi = (ref: string, change: object) =>
  patch(`/platform/projects/${ref}/config/postgrest`, change)
const dataApiOf = async (ref: string) =>
  (await world.ada.call('GET', `/platform/projects/${ref}/config/postgrest`)).body
const bucket = (ref: string, id: string, type = 'image/png') =>
  bench.sqlOf(
    ref,
    `insert into storage.buckets (id, name, public, allowed_mime_types) values ('${id}', '${id}', true, array['${type}'])`,
  )
const bucketsOf = (ref: string) =>
  bench.sqlOf(
    ref,
    `select id, public, file_size_limit::int as size, allowed_mime_types as types from storage.buckets order by id`,
  )
const path = (id: string, deed: string) => `${bench.path}/${id}/${deed}`
const difference = async ({ id }: Branch) =>
  BranchDifference.parse((await world.ada.call('GET', path(id, 'difference'))).body)
const order = (branch: Branch, deed: 'pull' | 'merge' | 'reset', body?: object) =>
  world.ada.call('POST', path(branch.id, deed), body)
async function done(branch: Branch, deed: 'pull' | 'merge' | 'reset', body?: object) {
  const ordered = await order(branch, deed, body)
  expect(ordered.status, JSON.stringify(ordered.body)).toBe(201)
  const after = await bench.atRest(branch.id)
  expect(after.failure).toBeNull()
}
const entries = async (action: string) =>
  (
    await world.control.db
      .selectFrom('platform.audit_entries')
      .select(['actor_email', 'target'])
      .where('action', '=', action)
      .execute()
  ).map(({ actor_email: by, target }) => `${by} ${target}`)

test('a branch begins with the settings and buckets of main that go with it; addresses stay', async () => {
  await dataApi(world.ref, { max_rows: 500 })
  const branch = await bench.make('beginning')
  const ref = branch.project_ref
  expect(await authOf(ref)).toMatchObject({ JWT_EXP: 1800, SITE_URL: 'http://localhost:3000' })
  expect(await dataApiOf(ref)).toMatchObject({ max_rows: 500 })
  expect(await bucketsOf(ref)).toEqual([
    { id: 'covers', public: true, size: null, types: ['image/png'] },
  ])
  expect(await difference(branch)).toMatchObject({
    settings: [],
    missing_settings: [],
    setting_conflicts: [],
  })
})

test('settings and buckets of the branch go into main with a merge, under the name of who ordered it', async () => {
  const branch = await bench.make('onward')
  const ref = branch.project_ref
  await auth(ref, { PASSWORD_MIN_LENGTH: 12, SITE_URL: 'https://try.example.com' })
  await dataApi(ref, { max_rows: 200 })
  await patch(`/platform/projects/${ref}/config/realtime`, { private_only: true })
  await patch(`/platform/projects/${ref}/config/storage`, { fileSizeLimit: 1_000_000 })
  await bucket(ref, 'invoices', 'application/pdf')
  await bench.sqlOf(
    ref,
    `update storage.buckets set public = false, file_size_limit = 5000, allowed_mime_types = null where id = 'covers'`,
  )
  const found = await difference(branch)
  expect(found.settings).toEqual([
    { area: 'auth', name: 'PASSWORD_MIN_LENGTH', from: 6, to: 12 },
    { area: 'data_api', name: 'max_rows', from: 500, to: 200 },
    { area: 'realtime', name: 'private_only', from: false, to: true },
    { area: 'storage', name: 'fileSizeLimit', from: 52_428_800, to: 1_000_000 },
    expect.objectContaining({ area: 'buckets', name: 'covers' }),
    expect.objectContaining({ area: 'buckets', name: 'invoices', from: null }),
  ])
  await done(branch, 'merge')
  expect(await authOf(world.ref)).toMatchObject({
    PASSWORD_MIN_LENGTH: 12,
    SITE_URL: 'https://books.example.com',
  })
  expect(await dataApiOf(world.ref)).toMatchObject({ max_rows: 200 })
  expect(await bucketsOf(world.ref)).toEqual([
    { id: 'covers', public: false, size: 5000, types: null },
    { id: 'invoices', public: true, size: null, types: ['application/pdf'] },
  ])
  const realtime = await world.ada.call('GET', `/platform/projects/${world.ref}/config/realtime`)
  expect(realtime.body).toMatchObject({ private_only: true })
  const storage = await world.ada.call('GET', `/platform/projects/${world.ref}/config/storage`)
  expect(storage.body).toMatchObject({ fileSizeLimit: 1_000_000 })
  expect(await difference(branch)).toMatchObject({ settings: [], missing_settings: [] })
  for (const action of ['authConfig.update', 'dataApi.update', 'realtime.update'])
    expect(await entries(action)).toContain(`ada@example.com project:${world.ref}`)
  expect(await entries('branches.setBuckets')).toContain(`ada@example.com project:${world.ref}`)
})

test('what main alone has changed is not undone by merges without an update', async () => {
  const branch = await bench.make('alone')
  await auth(world.ref, { RATE_LIMIT_OTP: 77 })
  await auth(branch.project_ref, { RATE_LIMIT_VERIFY: 55 })
  await done(branch, 'merge')
  await done(branch, 'merge')
  expect(await authOf(world.ref)).toMatchObject({ RATE_LIMIT_OTP: 77, RATE_LIMIT_VERIFY: 55 })
  expect((await difference(branch)).missing_settings).toEqual([
    { area: 'auth', name: 'RATE_LIMIT_OTP', from: 30, to: 77 },
  ])
  await done(branch, 'pull')
  expect(await authOf(branch.project_ref)).toMatchObject({ RATE_LIMIT_OTP: 77 })
})

test('what both have changed is named, stops a merge, and an update takes the side that is chosen', async () => {
  const branch = await bench.make('both')
  const other = { area: 'auth', name: 'MAILER_OTP_EXP' }
  await auth(world.ref, { SMS_OTP_EXP: 100, MAILER_OTP_EXP: 100 })
  await auth(branch.project_ref, { SMS_OTP_EXP: 200, MAILER_OTP_EXP: 200 })
  expect((await difference(branch)).setting_conflicts).toEqual([
    { area: 'auth', name: 'MAILER_OTP_EXP', branch: 200, main: 100 },
    { area: 'auth', name: 'SMS_OTP_EXP', branch: 200, main: 100 },
  ])
  const refused = await order(branch, 'merge')
  expect([refused.status, refused.body['code']]).toEqual([409, 'branch_conflict'])
  expect(refused.body['message']).toContain('Auth MAILER_OTP_EXP, Auth SMS_OTP_EXP')
  for (const take_main of [[{ area: 'auth', name: 'JWT_EXP' }], [{ area: 'no', name: 'x' }], 'x'])
    expect((await order(branch, 'pull', { take_main })).status).toBe(400)
  await done(branch, 'pull', { take_main: [other] })
  expect(await authOf(branch.project_ref)).toMatchObject({ SMS_OTP_EXP: 200, MAILER_OTP_EXP: 100 })
  await done(branch, 'merge')
  expect(await authOf(world.ref)).toMatchObject({ SMS_OTP_EXP: 200, MAILER_OTP_EXP: 100 })
})

test('who may not change an area of main merges none of it, and everything else', async () => {
  const branch = await bench.make('rights')
  const developer = world.as('Developer')
  await bucket(branch.project_ref, 'of-developers')
  expect((await developer.call('POST', path(branch.id, 'merge'))).status).toBe(201)
  await bench.atRest(branch.id)
  expect(JSON.stringify(await bucketsOf(world.ref))).toContain('of-developers')
  await auth(branch.project_ref, { PASSWORD_MIN_LENGTH: 20 })
  const refused = await developer.call('POST', path(branch.id, 'merge'))
  expect([refused.status, refused.body['message']]).toEqual([
    403,
    'Your role does not allow changing these settings of main: Auth PASSWORD_MIN_LENGTH',
  ])
  expect((await authOf(world.ref))['PASSWORD_MIN_LENGTH']).not.toBe(20)
  await done(branch, 'merge')
  expect((await authOf(world.ref))['PASSWORD_MIN_LENGTH']).toBe(20)
})

test('a schema that the branch has not stays to be taken over, and the branch is made all the same', async () => {
  await bench.sqlOf(world.ref, 'create schema if not exists unrecorded')
  await dataApi(world.ref, { db_schema: 'public, unrecorded' })
  const branch = await bench.make('schema')
  expect(branch).toMatchObject({ status: 'FUNCTIONS_DEPLOYED', failure: null })
  expect((await difference(branch)).missing_settings).toContainEqual(
    expect.objectContaining({ area: 'data_api', name: 'db_schema' }),
  )
  await done(branch, 'merge')
  expect(await dataApiOf(world.ref)).toMatchObject({ db_schema: 'public, unrecorded' })
  await bench.sqlOf(branch.project_ref, 'create schema unrecorded')
  await done(branch, 'pull')
  expect(await dataApiOf(branch.project_ref)).toMatchObject({ db_schema: 'public, unrecorded' })
  await dataApi(world.ref, { db_schema: null })
})

test('a branch that was made before settings travelled takes over those of main, and gives none of its own', async () => {
  const branch = await bench.make('before')
  await auth(branch.project_ref, { RATE_LIMIT_WEB3: 44 })
  await world.control.db
    .updateTable('platform.branches')
    .set({ base_settings: '{}', ordered: null })
    .where('id', '=', branch.id)
    .execute()
  expect((await difference(branch)).settings).toEqual([])
  await done(branch, 'merge')
  expect(await authOf(world.ref)).toMatchObject({ RATE_LIMIT_WEB3: 30 })
})

test('a reset takes all of main', async () => {
  const branch = await bench.make('anew')
  await auth(branch.project_ref, { RATE_LIMIT_WEB3: 99 })
  await bucket(branch.project_ref, 'mine')
  await done(branch, 'reset')
  expect(await authOf(branch.project_ref)).toMatchObject({ RATE_LIMIT_WEB3: 30 })
  expect(await bucketsOf(branch.project_ref)).toEqual(await bucketsOf(world.ref))
})
